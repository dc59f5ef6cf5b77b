"""A process that writes a summary is killed amid it: every answer stays what the devices say, and the next one writes it whole."""
import contextlib
import json
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import unittest

from figures import figures
from service import PROGRAM, eventually, read, scaled, scratch

RELEASE, NOW = "4.3.1", "2025-06-30T06:00:00Z"
QUESTIONS = [
    ["releases"], ["adoption", RELEASE], ["time-to-update", RELEASE, "--by", "mechanism"], ["reach", RELEASE, "--history", "90d"],
    ["failures", RELEASE], ["funnel", RELEASE], ["mechanisms", RELEASE], ["push"],
]


def run(*words, **how):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, **how)


def answers(database):
    """By question, of an instant that summaries of the fleet hold for."""
    return {" ".join(words): json.loads(run(*words, "--db", database, "--now", NOW, "--json").stdout) for words in QUESTIONS}


def summarise(database, *tracer):
    """In a process as the service begins one; answers whether it came to its end."""
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen([*tracer, PROGRAM, "__chore"], stdin=theirs, stdout=subprocess.DEVNULL) as process:
        theirs.close()
        with contextlib.suppress(BrokenPipeError):
            for message in (b"summary", json.dumps({"database": str(database), "due": "whole"}).encode()):
                ours.sendall(struct.pack("<I", len(message)) + message)
        told = b""
        with contextlib.suppress(ConnectionResetError):
            while data := ours.recv(65536):
                told += data
        ours.close()
        process.wait(timeout=120)
        return b"isWhole" in told


def unfinished(database):
    """Rows of a version that is not in force."""
    return read(database, """SELECT count(*) FROM summary WHERE part & 0xffffffff > coalesce(
        (SELECT CAST(substr(ground, 9, instr(ground, char(10)) - 9) AS INTEGER) FROM summary_state), 0)""")[0][0]


def changed(database, *statements):
    """What another program wrote."""
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    run("doctor", "--renew-checksums", "--db", database)


class GivesWay(unittest.TestCase):
    def test_to_whoever_waits_for_an_answer(self):
        ours, theirs = socket.socketpair()
        with subprocess.Popen([PROGRAM, "__chore"], stdin=theirs, stdout=subprocess.DEVNULL) as process, ours:
            theirs.close()
            self.assertTrue(eventually(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) == 10, 10))


class KilledAmidIt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()
        cls.database = cls.directory / "fleet.db"
        events = run("simulate", "--devices", "6000", "--days", "21", "--seed", "4", "--out", "-").stdout
        run("import", "-", "--db", cls.database, input=events)
        changed(cls.database, "DELETE FROM summary", "DELETE FROM summary_state")
        cls.told = answers(cls.database)

    def test_where_there_was_none(self):
        self.kill_everywhere(self.database)

    def test_where_another_was_in_place(self):
        """Each of its columns is another one's, so that all are written anew."""
        other = self.directory / "other.db"
        shutil.copy(self.database, other)
        self.assertTrue(summarise(other))
        changed(
            other, "UPDATE summary SET packed = (SELECT packed FROM summary ORDER BY length(packed) DESC LIMIT 1)",
            "UPDATE summary_state SET ground = substr(ground, 1, instr(ground, char(10))) || 'of before'")
        self.kill_everywhere(other)

    def kill_everywhere(self, database):
        calls = self.writes(self.copy(database))
        kills, amid = 0, 0
        # Spread over all, and each of the last ones, which put it in force.
        spread = {calls * turn // scaled(6, 40) for turn in range(1, scaled(6, 40))} | set(range(calls - scaled(2, 8), calls + 1))
        for place in sorted(spread):
            with self.subTest(place=place, calls=calls):
                copy = self.copy(database)
                tracer = ["strace", "-f", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", f"inject=pwrite64:signal=KILL:when={place}"]
                kills += not summarise(copy, *tracer)
                amid += unfinished(copy) > 0
                self.assertEqual(answers(copy), self.told)
                self.assertTrue(summarise(copy))
                self.assertEqual(answers(copy), self.told)
                self.assertEqual(read(copy, "PRAGMA integrity_check"), [("ok",)])
        self.assertGreater(kills, len(spread) / 2)
        self.assertGreater(amid, 0, "none was killed between two transactions")
        figures(summaries={"killed": kills, "wrong answers": 0})

    def writes(self, database):
        """How often a whole one writes."""
        log = self.directory / "calls"
        self.assertTrue(summarise(database, "strace", "-f", "-o", str(log), "-e", "trace=pwrite64"))
        self.assertEqual(answers(database), self.told)
        return log.read_text(errors="replace").count("pwrite64(")

    def copy(self, database):
        copy = self.directory / "copy.db"
        for old in self.directory.glob("copy.db*"):
            old.unlink()
        shutil.copy(database, copy)
        return copy


if __name__ == "__main__":
    unittest.main()
