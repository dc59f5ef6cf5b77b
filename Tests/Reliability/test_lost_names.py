"""Files beside the database when the power goes: names that nobody synced may lead nowhere, or where they led before."""
import random
import shutil
import sqlite3
import subprocess
import unittest

from fleet import event, lines
from names import Names, record
from service import PROGRAM, SOAK, scratch

NOW = "2025-03-31T00:00:00Z"
EVENTS = 3000
# So many moments of each command in the short form; all in the soak.
MOMENTS = 10


def run(*words, check=True):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if check and done.returncode:
        raise AssertionError(f"{words}: {done.returncode} {done.stderr}")
    return done


def events(database):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return {row[0] for row in connection.execute("SELECT duration FROM event")}
    finally:
        connection.close()


class LostNames(unittest.TestCase):
    def setUp(self):
        self.directory, self.log = scratch(), scratch() / "calls"
        self.database = self.directory / "uptake.db"
        self.store(range(EVENTS))

    def tearDown(self):
        for directory in (self.directory, self.log.parent):
            shutil.rmtree(directory, ignore_errors=True)

    def store(self, numbers):
        file = self.log.parent / "events.ndjson"
        file.write_bytes(lines(numbers))
        run("import", file, "--db", self.database, "--quiet")

    def images(self, *words, **model):
        """Runs a command; yields what the disk may hold after some of its calls, with a note."""
        names = Names(self.directory, **model)
        done = record(self.log, [PROGRAM, *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        chance = random.Random(7)
        count = sum(1 for _ in Names(self.directory).moments(self.log))
        self.assertGreater(count, 3, "the command's calls were seen")
        step = 1 if SOAK else max(1, count // MOMENTS)
        for place, what in enumerate(names.moments(self.log)):
            # The last ones are those with the names.
            if place % step and place < count - 6:
                continue
            for source in (None, chance) if SOAK or place >= count - 6 else [(None, chance)[place // step % 2]]:
                # In the very place: a database names its archives by their paths.
                aside = self.directory.with_name(self.directory.name + ".aside")
                self.directory.rename(aside)
                try:
                    names.image(self.directory, source)
                    yield self.directory, f"{what}, call {place} of {count}, {'anything' if source else 'nothing'} unsynced"
                finally:
                    shutil.rmtree(self.directory)
                    aside.rename(self.directory)

    def whole(self, image, note):
        """The events of a database and its archives; a program has opened it, as after a restart."""
        database = image / "uptake.db"
        archives = sorted((image / "archive").glob("*.uptk"))
        run("upgrade", "--db", database)
        if archives:
            # An archive that no row of the database names is a removal that was not done: its events are in the table.
            run("import", *archives, "--db", database, "--quiet")
        found = run("doctor", "--db", database, "--format", "csv", check=False).stdout.splitlines()
        # A device that was to be forgotten is written down first: the next start of the service does it.
        failed = [line for line in found if ",fail," in line and not line.startswith("forgotten devices,")]
        self.assertEqual(failed, [], note)
        return events(database)

    def test_a_backup_is_the_old_one_or_the_new_one(self):
        backup = self.directory / "backup.db"
        run("backup", backup, "--db", self.database)
        self.store(range(EVENTS, EVENTS + 100))
        wholes = {EVENTS, EVENTS + 100}
        for image, note in self.images("backup", backup, "--db", self.database, "--force"):
            copy = image / "backup.db"
            connection = sqlite3.connect(copy)
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], note)
            connection.close()
            self.assertIn(len(events(copy)), wholes, note)
            restored = run("restore", copy, "--db", image / "restored.db", check=False)
            # While one replaces the other, the digests of both are written.
            self.assertEqual(restored.returncode, 0, f"{note}: {restored.stderr}")

    def test_what_was_archived_is_in_the_table_or_in_an_archive(self):
        archive = self.directory / "archive"
        archive.mkdir()
        for image, note in self.images("retain", "--raw", "1s", "--archive", archive, "--db", self.database):
            self.assertTrue(self.whole(image, note) == set(range(EVENTS)), note)

    def test_archives_written_anew_hold_what_others_said(self):
        archive = self.directory / "archive"
        archive.mkdir()
        run("retain", "--raw", "1s", "--archive", archive, "--db", self.database)
        self.assertEqual(events(self.database), set())
        ours = {number for number in range(EVENTS) if event(number)["device"] == "d1"}
        others = set(range(EVENTS)) - ours
        for image, note in self.images("forget", "d1", "--app", event(0)["app"], "--yes", "--db", self.database):
            self.assertTrue(self.whole(image, note) in (others, others | ours), note)
        self.assertTrue(self.whole(self.directory, "in the end") == others)

    def test_a_restored_database_is_in_place_or_the_one_before_is_still_there(self):
        backup = self.directory / "backup.db"
        run("backup", backup, "--db", self.database)
        self.store(range(EVENTS, EVENTS + 100))
        for image, note in self.images("restore", backup, "--db", self.database, "--force"):
            named = [image / name for name in ("uptake.db", "uptake.db.before-restore") if (image / name).exists()]
            self.assertTrue(named, f"{note}: neither is there")
            for path in named:
                self.assertIn(len(events(path)), (EVENTS, EVENTS + 100), note)
        self.assertEqual(len(events(self.database)), EVENTS)

    def test_answers_are_the_old_file_or_the_new_one(self):
        answers = self.directory / "answers.db"
        words = ["export", "answers", "--db", self.database, "--output", answers]
        run(*words, "--now", NOW)
        for image, note in self.images(*words, "--now", "2025-04-01T00:00:00Z"):
            connection = sqlite3.connect(image / "answers.db")
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], note)
            self.assertGreater(connection.execute("SELECT count(*) FROM line").fetchone()[0], 0, note)
            connection.close()

    def test_a_continuous_copy_is_of_before_or_after(self):
        copy = self.directory / "copy"
        run("replicate", "--once", "--to", copy, "--db", self.database)
        self.store(range(EVENTS, EVENTS + 100))
        for image, note in self.images("replicate", "--once", "--to", copy, "--db", self.database):
            run("restore", image / "copy", "--db", image / "restored.db")
            found = len(events(image / "restored.db"))
            self.assertIn(found, (EVENTS, EVENTS + 100), note)
        self.assertEqual(found, EVENTS + 100)

    def test_the_model_sees_a_folder_that_nobody_synced(self):
        archive = self.directory / "archive"
        archive.mkdir()
        losses = 0
        words = ("retain", "--raw", "1s", "--archive", archive, "--db", self.database)
        for image, _ in self.images(*words, forgets_folders=True):
            try:
                losses += self.whole(image, "") != set(range(EVENTS))
            except AssertionError:
                losses += 1
        self.assertGreater(losses, 0, "without a sync of folders the model must find losses")


if __name__ == "__main__":
    unittest.main()
