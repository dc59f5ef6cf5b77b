"""A halt goes before whatever somebody else registers at the same moment."""
import json
import sqlite3
import subprocess
import time
import unittest

from service import PROGRAM, scratch

PLACE = ["--app", "a", "--db", str(scratch() / "uptake.db")]


def release(*words):
    return subprocess.Popen([PROGRAM, "release", *words, *PLACE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Halts(unittest.TestCase):
    def test_a_halt_beside_steps_of_others(self):
        """All have read what is registered, and wait to write: which of them is the first is left to chance, so there are several rounds."""
        for _ in range(5):
            release("publish", "2.0", "--at", "1d", "--rollout", "10%@0h").communicate()
            with sqlite3.connect(PLACE[-1], isolation_level=None) as lock:
                lock.execute("BEGIN IMMEDIATE")
                started = [release("widen", "2.0", percent) for percent in ("30", "40", "50")] + [release("halt", "2.0")]
                time.sleep(1)
                lock.execute("ROLLBACK")
            lock.close()
            said = [one.communicate(timeout=120)[1] for one in started]
            self.assertEqual(started[-1].returncode, 0, said[-1])
            [known] = json.loads(release("list", "--json").communicate()[0])["data"]
            self.assertEqual(known["rollout"][-1]["percent"], 0, known)
