"""Full disks, disks that cannot be written, and readers that keep the write-ahead log long."""
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import time
import unittest

from fleet import Fleet, lines
from service import PROGRAM, Client, Gone, Service, eventually, in_threads, scratch

MEGABYTE = 1 << 20


@contextlib.contextmanager
def small_disk(megabytes):
    """A file system of its own in memory; needs root."""
    place = scratch()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)
        shutil.rmtree(place, ignore_errors=True)


def resize(place, megabytes):
    subprocess.run(["mount", "-o", f"remount,size={megabytes}m", place], check=True)


def used(path):
    return path.stat().st_size if path.exists() else 0


@unittest.skipIf(os.geteuid(), "mounting a small disk needs root")
class FullDisk(unittest.TestCase):
    def fill(self, service, fleet, status=503, most=4000):
        """Sends until a request is refused; answers the refusal."""
        client = Client(service.port)
        for _ in range(most):
            answer = fleet.send(client)
            if answer.status != 200:
                self.assertEqual(answer.status, status)
                return answer
        self.fail("the disk never became full")

    def test_events_are_refused_before_the_disk_is_full_and_taken_again_when_there_is_space(self):
        with small_disk(12) as place, Service("--min-free", "6MiB", "--reserve", "2MiB", directory=place) as service:
            fleet = Fleet(batch=20)
            refusal = self.fill(service, fleet)
            self.assertEqual(refusal.code, "disk_reserve")
            self.assertTrue(int(refusal.headers["retry-after"]) > 0)
            self.assertEqual(service.ask("GET", "/readyz").status, 503)
            self.assertEqual(service.ask("GET", "/healthz").status, 200)
            self.assertEqual(used(place / "uptake.db.reserve"), 2 * MEGABYTE, "the reserve is not touched yet")
            fleet.check(self, service.database)
            resize(place, 64)
            self.assertTrue(eventually(lambda: service.ask("GET", "/readyz").status == 200), "it did not recover")
            self.assertEqual(fleet.send(Client(service.port)).status, 200)
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)

    def test_another_program_fills_the_disk_and_the_reserve_makes_room_for_a_checkpoint(self):
        with small_disk(48) as place, Service("--min-free", "1MiB", "--reserve", "8MiB", directory=place) as service:
            fleet = Fleet(batch=500)
            client = Client(service.port)
            for _ in range(40):
                self.assertEqual(fleet.send(client).status, 200)
            log = used(place / "uptake.db-wal")
            self.assertGreater(log, MEGABYTE)
            hog = place / "hog"
            with contextlib.suppress(OSError), open(hog, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(65536))
            refusal = self.fill(service, fleet)
            self.assertIn(refusal.code, ("not_stored", "disk_full", "disk_reserve"))
            self.assertTrue(eventually(lambda: used(place / "uptake.db-wal") == 0), "the log was not moved into the database")
            self.assertTrue(eventually(lambda: service.logged("disk_full")))
            fleet.check(self, service.database)
            self.assertEqual(service.ask("GET", "/v1/answers/releases?app=com.example.load").status, 200)
            hog.unlink()
            self.assertTrue(eventually(lambda: service.ask("GET", "/readyz").status == 200), "it did not recover")
            self.assertTrue(eventually(lambda: used(place / "uptake.db.reserve") == 8 * MEGABYTE))
            self.assertEqual(fleet.send(Client(service.port)).status, 200)
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)

    def test_a_service_killed_on_a_full_disk_starts_again_with_everything_it_answered(self):
        with small_disk(24) as place:
            fleet = Fleet(batch=500)
            with_little = ["--min-free", "64KiB", "--reserve", "1MiB"]
            service = Service(*with_little, directory=place)
            self.fill(service, fleet)
            service.kill()
            resize(place, 64)
            with Service(*with_little, directory=place) as service:
                fleet.check(self, service.database)
                self.assertEqual(fleet.send(Client(service.port)).status, 200)
                fleet.check(self, service.database)
                service.kill()

    def test_a_backup_that_does_not_fit_names_its_disk_and_leaves_nothing(self):
        with Service() as service, small_disk(1) as place:
            fleet, client = Fleet(batch=2000), Client(service.port)
            for _ in range(5):
                self.assertEqual(fleet.send(client).status, 200)
            done = subprocess.run([PROGRAM, "backup", place / "b.db", "--db", service.database], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"no space is left for {place}/b.db", done.stderr)
            self.assertEqual(list(place.iterdir()), [])

    def test_archives_go_to_another_folder_once_the_disk_of_the_first_is_full(self):
        directory, fleet = scratch(), Fleet()
        first = Service(directory=directory)
        self.assertEqual(fleet.send(Client(first.port)).status, 200)
        self.assertEqual(first.stop(), 0)
        time.sleep(1)
        with small_disk(1) as full:
            with contextlib.suppress(OSError), (full / "rest").open("wb", buffering=0) as rest:
                while rest.write(bytes(4096)):
                    pass
            service = Service("--retain-raw", "100ms", "--retain-archive", full / "archive", directory=directory)
            self.assertTrue(eventually(lambda: service.metric("uptake_retention_failing") == 1))
            self.assertEqual(service.stop(), 0)
            good = directory / "good"
            service = Service("--retain-raw", "100ms", "--retain-archive", good, directory=directory)
            self.assertTrue(eventually(lambda: service.metric("uptake_retention_last_success_timestamp_seconds") > 0))
            self.assertTrue(eventually(lambda: service.metric("uptake_retention_failing") == 0))
            self.assertEqual(service.stop(), 0)
            self.assertEqual(len(list(good.glob("*.uptk"))), 1)
            self.assertEqual([path.name for path in full.glob("archive/*")], [])
        shutil.rmtree(directory, ignore_errors=True)

    def test_a_file_system_that_cannot_be_written_is_said_and_still_answers_questions(self):
        with small_disk(24) as place:
            first = Service(directory=place, *["--min-free", "1MiB", "--reserve", "1MiB"])
            fleet = Fleet()
            self.assertEqual(fleet.send(Client(first.port)).status, 200)
            self.assertEqual(first.stop(), 0)
            subprocess.run(["mount", "-o", "remount,ro", place], check=True)
            with self.assertRaisesRegex(AssertionError, "cannot be written"):
                Service(directory=place)
            self.assertEqual(refused_start(place / "uptake.db").returncode, 1)
            asked = subprocess.run(
                [os.environ["UPTAKE_PROGRAM"], "releases", "--db", place / "uptake.db", "--format", "json"], capture_output=True)
            self.assertEqual(json.loads(asked.stdout)["schema"], "uptake.releases/1", asked.stderr)


def is_at_rest(path, least):
    """Whether a file is so long and does not grow."""
    before = used(path)
    time.sleep(2)
    return used(path) == before > least


def refused_start(database):
    return subprocess.run(
        [PROGRAM, "serve", "--db", database, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=120)


class Locked(unittest.TestCase):
    def test_a_lock_that_lasts_ends_the_start_with_a_status_that_is_tried_again(self):
        directory = scratch()
        database = directory / "uptake.db"
        subprocess.run([PROGRAM, "key", "create", "--app", "a", "--db", database], capture_output=True, check=True)
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = refused_start(database)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("is locked by another program", refused.stderr)
        other.execute("ROLLBACK")
        other.close()
        with Service(directory=directory) as service:
            self.assertEqual(service.stop(), 0)
        shutil.rmtree(directory, ignore_errors=True)


class Vanished(unittest.TestCase):
    def test_a_log_that_is_deleted_under_the_service_costs_nothing_that_was_answered(self):
        with Service("--fold-after", "100ms") as service:
            fleet, client = Fleet(), Client(service.port)
            self.assertEqual(fleet.send(client).status, 200)
            service.database.with_name("uptake.db-wal").unlink()
            self.assertEqual(fleet.send(client).status, 503)
            self.assertTrue(eventually(lambda: service.logged("database_moved")))
            self.assertEqual(service.ask("GET", "/readyz").status, 503)
            self.assertEqual(service.stop(), 0)
            again = Service(directory=service.directory)
            fleet.check(self, again.database)
            self.assertEqual(fleet.send(Client(again.port)).status, 200)
            again.end()


    def import_beside(self, service, first=20_000_000):
        """By a process of its own, which finds what its name leads to; answers the numbers that it stored."""
        numbers = list(range(first, first + 500))
        done = subprocess.run([PROGRAM, "import", "--db", service.database, "--quiet", "-"], input=lines(numbers), capture_output=True)
        return numbers if done.returncode == 0 else []

    def lose(self, ending, kills, beside):
        """Takes a file from beside the database of a service, lets another program write, and ends the service."""
        with Service("--fold-after", "100ms") as service:
            fleet, client = Fleet(), Client(service.port)
            for _ in range(5):
                self.assertEqual(fleet.send(client).status, 200)
            service.database.with_name("uptake.db" + ending).unlink()
            if beside:
                numbers = self.import_beside(service)
                fleet.sent.update(numbers)
                fleet.acknowledged.update(numbers)
            for _ in range(20):
                self.assertEqual(fleet.send(client).status, 503)
            self.assertTrue(eventually(lambda: service.logged("database_moved")))
            self.assertIn("uptake.db" + ending, service.logged("database_moved")[0]["reason"])
            self.assertEqual(service.ask("GET", "/readyz").status, 503)
            service.kill() if kills else self.assertEqual(service.stop(), 0)
            again = Service(directory=service.directory)
            fleet.check(self, again.database)
            self.assertEqual(fleet.send(Client(again.port)).status, 200)
            again.end()

    def test_an_index_that_is_deleted_under_the_service_costs_nothing_whoever_writes_beside_it(self):
        for kills in (False, True):
            for beside in (False, True):
                with self.subTest(kills=kills, beside=beside):
                    self.lose("-shm", kills, beside)

    def test_a_log_that_is_deleted_is_not_mixed_with_that_of_another_program(self):
        for kills in (False, True):
            with self.subTest(kills=kills):
                self.lose("-wal", kills, beside=True)

    def test_a_database_that_is_cut_under_the_service_takes_no_more_events(self):
        for part in (0, 0.5):
            with self.subTest(part=part), Service("--fold-after", "100ms") as service:
                fleet, client = Fleet(batch=2000), Client(service.port)
                for _ in range(3):
                    fleet.send(client)
                wal = service.database.with_name("uptake.db-wal")
                # What rests is moved into the database. Cut while that is done the file grows again, with holes.
                self.assertTrue(eventually(lambda: is_at_rest(service.database, 400_000)))
                os.truncate(service.database, int(service.database.stat().st_size * part))
                self.assertEqual(fleet.send(client).status, 503)
                self.assertTrue(eventually(lambda: service.logged("database_cut")))
                self.assertTrue(eventually(lambda: service.ask("GET", "/readyz").status == 503))
                self.assertGreater(wal.stat().st_size, 0)
                service.stop()
                with self.assertRaisesRegex(AssertionError, "is damaged"):
                    Service(directory=service.directory)


class LongReader(unittest.TestCase):
    def test_the_program_that_keeps_the_log_long_is_named(self):
        with Service("--large-log", "1MiB") as service:
            fleet = Fleet(batch=500)
            client = Client(service.port)
            fleet.send(client)
            reader = subprocess.Popen(
                ["sqlite3", "-readonly", service.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            reader.stdin.write("BEGIN; SELECT count(*) FROM event;\n")
            reader.stdin.flush()
            self.assertTrue(reader.stdout.readline())

            def is_named():
                fleet.send(client)
                return any(reader.pid in [one["pid"] for one in line["readers"]] for line in service.logged("log_is_long"))

            self.assertTrue(eventually(is_named), "no warning names the reader")
            named = [one for line in service.logged("log_is_long") for one in line["readers"] if one["pid"] == reader.pid]
            self.assertEqual(named[-1]["program"], "sqlite3")
            self.assertTrue(eventually(lambda: f'pid="{reader.pid}"' in service.ask("GET", "/metrics").body.decode()))
            reader.communicate("COMMIT;\n")
            self.assertTrue(eventually(lambda: f'pid="{reader.pid}"' not in service.ask("GET", "/metrics").body.decode()))
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
