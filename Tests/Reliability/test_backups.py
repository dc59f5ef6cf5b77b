"""A backup is one moment of a database, whatever goes on in it: every one of them can be restored, and answers as it should."""
import json
import random
import shutil
import subprocess
import threading
import time
import unittest

from figures import figures
from fleet import Fleet, lines
from service import PATIENCE, PROGRAM, Client, Gone, Service, eventually, in_threads, read, scaled, scratch

ROUNDS = scaled(12, 300)
NOW = "2025-03-31T00:00:00Z"
QUESTIONS = [
    "releases", "adoption 1.1 --by platform --by channel", "reach 1.1", "time-to-update 1.1 --by mechanism", "compare 1.1 1.0",
    "mechanisms 1.1", "failures 1.1", "funnel 1.1", "push", "wakeups"]


def run(*words, **rest):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, **rest)


def answers(database):
    """What questions say of the data; not what they say of the arrival of events, which is another by import."""
    found = {}
    for question in QUESTIONS:
        done = run(*question.split(), "--db", database, "--now", NOW, "--format", "json")
        assert done.returncode in (0, 4), f"{question}: {done.returncode} {done.stderr.decode()}"
        found[question] = json.loads(done.stdout)["data"]
    return found


# Those in the table, and those that were taken out; where a removal is half done, what is still there counts once.
STORED = """
    SELECT (SELECT count(*) FROM event) + coalesce(sum(events), 0) - coalesce(sum(CASE state WHEN 1 THEN (
      SELECT count(*) FROM event WHERE seq BETWEEN first AND last AND received < before) END), 0)
    FROM removed WHERE state > 0
"""


class Backups(unittest.TestCase):
    def setUp(self):
        self.directory, self.stop, self.problems, self.removals = scratch(), threading.Event(), [], 0

    def tearDown(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def send(self, service, fleet):
        """One client, one request after the other: what is stored is what it sent first."""
        client = Client(service.port)
        while not self.stop.is_set():
            try:
                fleet.send(client)
            except Gone as gone:
                return self.problems.append(f"the connection ended: {gone}")

    def retain(self, service):
        """Takes out whatever is a moment old, into archives and away in turn."""
        while not self.stop.is_set():
            where = ["--drop"] if self.removals % 3 == 2 else ["--archive", self.directory / "archive"]
            done = run("retain", "--db", service.database, "--raw", "700ms", *where, "--format", "json")
            if done.returncode:
                return self.problems.append(f"retain: {done.stderr.decode()}")
            self.removals += 1

    def back_up(self, service, fleet):
        """Each with how many events were acknowledged before it began and sent when it was done."""
        made, moments = [], random.Random(20250303)
        self.assertTrue(eventually(lambda: self.removals > 0 and len(fleet.acknowledged) > 3000, 4 * PATIENCE))
        while len(made) < ROUNDS and not self.problems:
            time.sleep(moments.uniform(0, 1))
            backup, acknowledged = self.directory / f"backup-{len(made)}", len(fleet.acknowledged)
            done = run("backup", backup, "--db", service.database)
            self.assertEqual(done.returncode, 0, done.stderr)
            made.append((backup, acknowledged, len(fleet.sent)))
        return made

    def test_made_while_events_come_in_and_go_out_each_of_them_is_whole(self):
        fleet = Fleet(batch=5, devices=100)
        with Service("--fold-after", "100ms", directory=scratch()) as service:
            threads = in_threads(1, lambda _: self.send(service, fleet)) + in_threads(1, lambda _: self.retain(service))
            made = self.back_up(service, fleet)
            self.stop.set()
            for thread in threads:
                thread.join(60)
            self.assertEqual(service.logged("fold_failed"), [])
            self.assertEqual(self.problems, [])
            self.assertEqual(service.stop(), 0)
        self.assertGreater(self.removals, 3)
        self.assertGreater(len(made), 3)
        partly = sum(self.check(fleet, number, *backup) for number, backup in enumerate(made))
        self.assertGreater(partly, 0, "no backup was made of a database of which events had gone")
        figures(backups={"made": len(made), "restored": len(made), "afterRemovals": partly, "answered": len(fleet.acknowledged)})

    def check(self, fleet, number, backup, acknowledged, sent):
        """Answers whether events were gone from it, and some were left."""
        restored, reference = self.directory / f"restored-{number}.db", self.directory / f"reference-{number}.db"
        done = run("restore", backup, "--db", restored, "--verify")
        self.assertEqual(done.returncode, 0, f"backup {number}: {done.stderr.decode()}")
        stored = read(restored, STORED)[0][0]
        self.assertGreaterEqual(stored, acknowledged, f"backup {number} lacks events that were acknowledged before it began")
        self.assertLessEqual(stored, sent)
        left = read(restored, "SELECT count(*) FROM event")[0][0]
        done = run("import", "-", "--db", reference, input=lines(range(1, stored + 1), fleet.devices))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(answers(restored), answers(reference), f"backup {number}, of {stored} events, {left} left")
        self.assertEqual(run("doctor", "--db", restored, "--full").returncode, 0)
        for path in (backup, restored, reference):
            path.unlink()
        return 0 < left < stored


if __name__ == "__main__":
    unittest.main()
