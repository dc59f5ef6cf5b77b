"""What a question may read, how it is ended, and how far it has come."""

import json
import os
import pty
import signal
import subprocess
import time
import unittest

from cluster import shared
from program import NOW, PROGRAM, Files, done, run, start

ASKED = ["mechanisms", "4.4.0", "--now", NOW]


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, files = shared().servers[0], Files()
        cls.addClassCleanup(files.remove)
        cls.address = shared().address("limits", servers=[cls.server])
        done("warehouse", "init", "--db", cls.address)
        cls.file = files.database("limits", files.lines)
        done("ship", "--db", cls.file, "--to", cls.address)

    def test_quota(self):
        """Of bytes or rows; what goes beyond is refused with words, what lies within is answered."""
        whole = done(*ASKED, "--json", "--db", self.address).output
        for most in "1GB", "1000000rows":
            self.assertEqual(done(*ASKED, "--json", "--quota", most, "--db", self.address).output, whole)
        for most in "1kB", "10rows":
            ended = run(*ASKED, "--quota", most, "--db", self.address)
            error = json.loads(ended.errors.splitlines()[-1])
            self.assertEqual((ended.status, error["code"], ended.output), (1, "warehouse_quota", ""), ended.errors)
            self.assertIn("--quota", str(error["hint"]))
        for odd in "much", "0rows", "-1", "rows":
            ended = run(*ASKED, f"--quota={odd}", "--db", self.address)
            self.assertEqual((ended.status, json.loads(ended.errors.splitlines()[-1])["code"]), (2, "bad_quota"))

    def slowly(self):
        """From now on reading contacts takes longer than anybody waits; the address of who reads it in small blocks."""
        self.server.query("RENAME TABLE limits.contact TO limits.kept")
        self.server.query("CREATE VIEW limits.contact AS SELECT * FROM limits.kept WHERE sleepEachRow(0.02) = 0")
        self.addCleanup(self.server.query, "RENAME TABLE limits.kept TO limits.contact")
        self.addCleanup(self.server.query, "DROP TABLE limits.contact")
        return shared().address("limits", "slow", [self.server])

    def running(self):
        return int(self.server.query("SELECT count() FROM system.processes WHERE query LIKE '%contact%' AND query NOT LIKE '%processes%'"))

    def until(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_interrupted(self):
        """Ctrl-C: the server stops, too."""
        asking = start(*ASKED, "--db", self.slowly(), password="look")
        self.until(lambda: self.running() == 1)
        asking.send_signal(signal.SIGINT)
        self.assertEqual(asking.wait(60), -signal.SIGINT)
        asking.communicate()
        # Left alone it would read on for twice as long.
        self.until(lambda: self.running() == 0, 12)

    def test_progress(self):
        """On a terminal a line says that the warehouse is read."""
        address = self.slowly()
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        environment = dict(os.environ, UPTAKE_WAREHOUSE_PASSWORD="look", TERM="xterm")
        asking = subprocess.Popen(
            [PROGRAM, *ASKED, "--db", address], stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
        os.close(theirs)
        shown = b""
        while b"reading the warehouse" not in shown:
            shown += os.read(ours, 1000)
        asking.send_signal(signal.SIGINT)
        asking.wait(60)


if __name__ == "__main__":
    unittest.main()
