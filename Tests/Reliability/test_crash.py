"""An answered event is stored, however the process ends."""
import random
import subprocess
import threading
import time
import unittest

from fleet import Fleet, event
from folded import TABLES, differences, refolded, settle
from service import PROGRAM, Client, Gone, Service, in_threads, read, scaled, scratch

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


def write_pages(directory, stop):
    while not stop.is_set():
        subprocess.run(
            [PROGRAM, "report", "--db", directory / "uptake.db", "--out", directory / "site"], capture_output=True)


class Crash(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.fleet = Fleet()

    def live(self, seconds, end):
        """One life of the service, under load with questions, folds, checkpoints and a report; `end` ends it."""
        service, stop = Service("--fold-after", "100ms", directory=self.directory), threading.Event()
        threads = in_threads(SENDERS, lambda _: self.fleet.send_until_gone(service.port))
        threads += in_threads(1, lambda _: ask_questions(service.port, stop))
        threads += in_threads(1, lambda _: write_pages(self.directory, stop))
        time.sleep(seconds)
        status = end(service)
        stop.set()
        for thread in threads:
            thread.join(60)
        return status

    def test_kills_at_random_moments_lose_nothing_that_was_answered(self):
        moments, kills = random.Random(20250301), scaled(8, 200)
        for _ in range(kills):
            self.live(moments.uniform(0.05, 0.9), Service.kill)
            self.fleet.check(self, self.directory / "uptake.db")
        folded = read(self.directory / "uptake.db", "SELECT value FROM meta WHERE key = 'folded'")
        self.assertTrue(folded and folded[0][0] > 0, "no fold ran between the kills")
        database = settle(self.directory)
        stored = self.fleet.check(self, database)
        self.assertGreater(len(self.fleet.acknowledged), 100 * kills)
        self.assertEqual(differences(database, refolded(database)), {})
        print(f"{kills} kills: {len(self.fleet.acknowledged)} events answered, {stored} stored, 0 lost")

    def test_the_comparison_with_a_fresh_fold_sees_a_lost_journey(self):
        self.live(0.5, Service.kill)
        database = settle(self.directory)
        copy = refolded(database)
        self.assertEqual(differences(database, copy), {})
        subprocess.run(["sqlite3", copy, "DELETE FROM journey WHERE rowid = 1"], check=True)
        self.assertEqual(list(differences(database, copy)), ["journey"])
        self.assertTrue(all(read(database, f"SELECT count(*) > 0 FROM {table}")[0][0] for table in ["journey", "device"]))

    def test_an_end_that_was_asked_for_under_load_is_clean(self):
        for _ in range(scaled(3, 50)):
            self.assertEqual(self.live(0.4, Service.stop), 0)
            self.fleet.check(self, self.directory / "uptake.db")
        newest = read(self.directory / "uptake.db", "SELECT (SELECT max(seq) FROM event), value FROM meta WHERE key = 'folded'")
        self.assertEqual(newest[0][0], newest[0][1], "what was stored is folded before the end")
        self.assertNotIn(500, self.fleet.statuses)


if __name__ == "__main__":
    unittest.main()
