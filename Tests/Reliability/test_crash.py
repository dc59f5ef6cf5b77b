"""An answered event is stored, however the process ends."""
import json
import random
import subprocess
import threading
import time
import unittest

from fleet import Fleet, event, visits
from figures import figures
from folded import TABLES, differences, refolded, settle
from service import PROGRAM, Client, Gone, Service, eventually, in_threads, read, scaled, scratch

SENDERS = 6


def ask_questions(port, stop):
    """Readers that come and go, as dashboards do."""
    paths = ["/v1/answers/releases?app=com.example.load", "/v1/answers/adoption?release=1.1&app=com.example.load", "/metrics"]
    while not stop.is_set():
        for path in paths:
            try:
                Client(port).ask("GET", path)
            except (Gone, OSError):
                return


class Crash(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.fleet = Fleet()

    def live(self, seconds, end, *options):
        """One life of the service, under load with questions, folds, checkpoints and pages; `end` ends it after so many seconds,
        or once something holds."""
        service, stop = Service(
            "--fold-after", "100ms", "--reports", str(self.directory / "site"), "--report-every", "1s", *options,
            directory=self.directory), threading.Event()
        threads = in_threads(SENDERS, lambda _: self.fleet.send_until_gone(service.port))
        threads += in_threads(1, lambda _: ask_questions(service.port, stop))
        if callable(seconds):
            self.assertTrue(eventually(seconds))
        else:
            time.sleep(seconds)
        status = end(service)
        stop.set()
        for thread in threads:
            thread.join(60)
        return status

    def test_kills_at_random_moments_lose_nothing_that_was_answered(self):
        moments, kills = random.Random(20250301), scaled(8, 200)
        # However slow the machine is, one life stores much, and one folds something to the end.
        longer = {0: self.more_is_answered(100 * kills), kills // 2: self.something_is_folded}
        for number in range(kills):
            self.live(longer.get(number) or moments.uniform(0.05, 0.9), Service.kill)
            self.fleet.check(self, self.directory / "uptake.db")
        database = settle(self.directory)
        stored = self.fleet.check(self, database)
        self.assertGreaterEqual(len(self.fleet.acknowledged), 100 * kills)
        self.assertEqual(differences(database, refolded(database)), {})
        figures(crash={"kills": kills, "answered": len(self.fleet.acknowledged), "found": stored, "lost": 0})

    def something_is_folded(self):
        return read(self.directory / "uptake.db", "SELECT count(*) FROM meta WHERE key = 'folded' AND value > 0")[0][0] > 0

    def merge(self):
        """The last event of the merge that is under way, and how many shards hold it; nothing where none is."""
        return read(self.directory / "uptake.db", "SELECT key, value FROM meta WHERE key IN ('merging', 'merged') ORDER BY key")

    def amid_a_merge(self, shards):
        """Whether this life has merged so many shards, and is not done."""
        before = self.merge()
        return lambda: (now := self.merge()) != before and dict(now).get("merged", 0) >= shards

    def test_kills_amid_merges_that_leave_runs_where_they_are(self):
        """In large shards contacts are put beside the runs that are settled."""
        moments, kills, merged, database = random.Random(20250303), scaled(5, 60), 0, self.directory / "uptake.db"
        old = visits(2)
        subprocess.run(
            [PROGRAM, "import", "-", "--db", database, "--quiet"], check=True, capture_output=True,
            input="\n".join(map(json.dumps, old.values())).encode())
        self.fleet.sent.update(old)
        self.fleet.acknowledged.update(old)
        beside = lambda: read(database, "SELECT count(DISTINCT shard) FROM device WHERE part = 24")[0][0]
        # On a machine that is busy so much waits for one merge that it writes whole shards: then some lives more.
        for number in range(4 * kills):
            if number >= kills and beside() > 0:
                break
            self.live(self.amid_a_merge(moments.randrange(1, 60)), Service.kill)
            self.fleet.check(self, database)
            merged += self.merge() != []
        self.assertGreater(merged, 0, "every kill came after its merge")
        self.assertGreater(beside(), 0, "no shard was large enough")
        examined = subprocess.run([PROGRAM, "doctor", "--full", "--db", database], capture_output=True, text=True)
        self.assertEqual(examined.returncode, 0, examined.stdout + examined.stderr)
        stored = self.fleet.check(self, settle(self.directory))
        examined = subprocess.run([PROGRAM, "doctor", "--full", "--db", database], capture_output=True, text=True)
        self.assertEqual(examined.returncode, 0, examined.stdout + examined.stderr)
        figures(merges={"kills": kills, "amid": merged, "answered": len(self.fleet.acknowledged), "found": stored, "lost": 0})

    def something_is_gone(self):
        return read(self.directory / "uptake.db", "SELECT count(*) FROM removed WHERE state = 2")[0][0] > 0

    def test_kills_amid_retention_lose_nothing_and_archive_nothing_twice(self):
        moments, kills, archives = random.Random(20250302), scaled(4, 100), self.directory / "archive"
        taking_out = ["--retain-raw", "100ms", "--retain-archive", str(archives)]
        # So that there is something to take out at the next start, which the kills may then hit.
        self.live(self.more_is_answered(), Service.stop)
        for number in range(kills):
            # One life, however slow the machine is, takes something out to the end.
            self.live(self.something_is_gone if number == kills // 2 else moments.uniform(0.05, 0.9), Service.kill, *taking_out)
            self.fleet.check_whole(self, self.directory / "uptake.db")
        database = settle(self.directory)
        left = len(self.fleet.stored(database))
        subprocess.run([PROGRAM, "retain", "--db", database, "--raw", "1ms", "--archive", archives], check=True, capture_output=True)
        whole = sorted(archives.glob("*.uptk"))
        self.assertEqual(list(archives.glob("*.part")), [])
        self.assertEqual(self.fleet.stored(database), [], "every event is in an archive")
        subprocess.run([PROGRAM, "import", *whole, "--db", database], check=True, capture_output=True)
        stored = self.fleet.check(self, settle(self.directory))
        self.assertGreater(stored, left, "nothing was taken out before the end")
        self.assertEqual(differences(database, refolded(database)), {})
        figures(retention={"kills": kills, "answered": len(self.fleet.acknowledged), "found": stored, "archives": len(whole), "lost": 0})

    def more_is_answered(self, events=1000):
        """Whether so many more are by now: on a busy machine half a second may see none."""
        before = len(self.fleet.acknowledged)
        return lambda: len(self.fleet.acknowledged) >= before + events

    def test_the_comparison_with_a_fresh_fold_sees_a_lost_journey(self):
        self.live(self.more_is_answered(), Service.kill)
        database = settle(self.directory)
        copy = refolded(database)
        self.assertEqual(differences(database, copy), {})
        subprocess.run(["sqlite3", copy, "DELETE FROM journey WHERE rowid = 1"], check=True)
        self.assertEqual(list(differences(database, copy)), ["journey"])
        self.assertTrue(all(read(database, f"SELECT count(*) > 0 FROM {table}")[0][0] for table in ["journey", "device"]))

    def test_an_end_that_was_asked_for_under_load_is_clean(self):
        for _ in range(scaled(3, 50)):
            self.assertEqual(self.live(self.more_is_answered(), Service.stop), 0)
            self.fleet.check(self, self.directory / "uptake.db")
        newest = read(self.directory / "uptake.db", "SELECT (SELECT max(seq) FROM event), value FROM meta WHERE key = 'folded'")
        self.assertEqual(newest[0][0], newest[0][1], "what was stored is folded before the end")
        self.assertNotIn(500, self.fleet.statuses)


if __name__ == "__main__":
    unittest.main()
