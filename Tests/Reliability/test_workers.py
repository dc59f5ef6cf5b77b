"""Questions are answered by processes of their own: what one does to its process does nothing to events."""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import unittest

from fleet import Fleet
from service import PROGRAM, Client, Service, eventually, scratch

RELEASES = "/v1/answers/releases?app=com.example.load"


def children(service, command):
    """Processes that the service began with this command."""
    found = []
    for task in pathlib.Path(f"/proc/{service.pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for word in (task / "children").read_text().split():
                if command in pathlib.Path(f"/proc/{word}/cmdline").read_bytes():
                    found.append(int(word))
    return found


def workers(service):
    return children(service, b"__answer")


def state(process):
    """The system's letter for what it does; Z where it is gone, though somebody has yet to be told."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def is_gone(process):
    return state(process) in "ZX"


def open_names(process):
    """What it has open beside its standard streams; some of it may be closed while one looks."""
    found = []
    for link in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found += [os.readlink(link)] if int(link.name) > 2 else []
    return found


def holds_nothing(process):
    return all(name.startswith("anon_inode:") for name in open_names(process))


def would_end_first(process):
    """Whether the machine ends it before the service where memory is short: a process says so as its first step."""
    return pathlib.Path(f"/proc/{process}/oom_score_adj").read_text().strip() == "500"


@contextlib.contextmanager
def waiting_for(database):
    """Whoever opens the database waits meanwhile; who has it open does not."""
    descriptor = os.open(database, os.O_RDWR)
    try:
        # SQLite's pending byte: a new reader takes it for a moment.
        fcntl.lockf(descriptor, fcntl.LOCK_EX, 1, 0x40000000)
        yield
    finally:
        os.close(descriptor)


def is_at_work(process):
    """Whether it is at a question: it tries again and again to open the database."""
    return any("uptake.db" in name for name in open_names(process))


class Workers(unittest.TestCase):
    def served(self, *options, threads=1):
        service = Service("--question-threads", str(threads), *options)
        self.addCleanup(service.end)
        client = Client(service.port)
        self.assertEqual(Fleet().send(client).status, 200)
        client.close()
        self.assertTrue(eventually(lambda: workers(service)))
        return service

    def test_the_list_of_processes_names_the_program(self):
        """Who reads the database is named so in the log and in the metrics: `exe` is nobody that one knows."""
        service = self.served()
        [worker] = workers(service)
        place = pathlib.Path(f"/proc/{worker}")
        self.assertEqual((place / "cmdline").read_bytes().split(b"\0")[:2], [b"uptake", b"__answer"])
        self.assertTrue(eventually(lambda: (place / "comm").read_text() == "uptake\n"), (place / "comm").read_text())

    def ask_beside(self, service, path):
        """Asks, and gives the list that the answer comes into."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(service.ask("GET", path)), daemon=True)
        thread.start()
        return thread, answers

    def assert_events_are_taken(self, service):
        client = Client(service.port)
        fleet = Fleet()
        fleet.numbers = iter(range(10_000_000 + time.monotonic_ns() % 1_000_000, 20_000_000))
        self.assertEqual(fleet.send(client).status, 200)
        client.close()

    def test_they_say_what_the_command_says(self):
        service = self.served()
        answer = service.ask("GET", RELEASES + "&now=2026-01-01T00:00:00Z")
        said = subprocess.run(
            [PROGRAM, "releases", "--app", "com.example.load", "--now", "2026-01-01T00:00:00Z", "--json", "--db", service.database],
            capture_output=True).stdout
        self.assertEqual(answer.json, json.loads(said))
        self.assertEqual(service.ask("GET", "/v1/answers/adoption").status, 400)
        self.assertEqual(service.ask("GET", "/v1/answers/adoption?release=9.9.9").status, 400)

    def test_they_hold_nothing_of_the_service_and_end_with_it(self):
        service = self.served(threads=3)
        self.assertTrue(eventually(lambda: len(workers(service)) == 3))
        mine = workers(service)
        self.assertEqual(service.ask("GET", RELEASES).status, 200)
        for worker in mine:
            # One that has just begun reads the libraries that it needs.
            self.assertTrue(eventually(lambda: holds_nothing(worker)), open_names(worker))
            self.assertNotEqual(os.getpgid(worker), os.getpgid(service.pid))
            self.assertTrue(eventually(lambda: would_end_first(worker)), worker)
        service.kill()
        self.assertTrue(eventually(lambda: all(map(is_gone, mine))))

    def test_they_end_when_the_service_is_told_to(self):
        service = self.served(threads=2)
        mine = workers(service)
        self.assertEqual(service.stop(), 0)
        self.assertTrue(eventually(lambda: all(map(is_gone, mine))))

    def test_one_that_is_killed_costs_one_question(self):
        service = self.served()
        worker = workers(service)[0]
        with waiting_for(service.database):
            thread, answers = self.ask_beside(service, RELEASES)
            self.assertTrue(eventually(lambda: is_at_work(worker)))
            os.kill(worker, signal.SIGKILL)
            thread.join(60)
        answer = answers[0]
        self.assertEqual((answer.status, answer.code), (500, "internal"))
        logged = service.logged("question_ended")
        self.assertEqual([(row["question"], row["process"]) for row in logged], [("releases", worker)])
        self.assertEqual(logged[0]["how"], "signal 9")
        self.assertIn(logged[0]["id"], answer.json["error"]["message"])
        self.assert_events_are_taken(service)
        self.assertEqual(service.ask("GET", RELEASES).status, 200)
        self.assertNotIn(worker, workers(service))
        self.assertEqual(service.metric("uptake_question_processes_ended_total"), 1)

    def test_one_that_ended_while_nobody_asked_costs_nothing(self):
        service = self.served()
        for _ in range(3):
            os.kill(workers(service)[0], signal.SIGKILL)
            self.assertEqual(service.ask("GET", RELEASES).status, 200)
        self.assertEqual(service.logged("question_ended"), [])

    def test_one_that_hangs_is_given_up(self):
        service = self.served("--question-timeout", "2s")
        worker = workers(service)[0]
        os.kill(worker, signal.SIGSTOP)
        thread, answers = self.ask_beside(service, RELEASES)
        time.sleep(0.2)
        self.assert_events_are_taken(service)
        thread.join(60)
        self.assertEqual((answers[0].status, answers[0].code), (503, "question_too_long"))
        self.assertTrue(eventually(lambda: is_gone(worker)))
        self.assertEqual(service.ask("GET", RELEASES).status, 200)

    def test_one_that_gets_no_memory_ends_alone(self):
        service = self.served("--question-memory", "1MiB")
        for _ in range(3):
            self.assertIn(service.ask("GET", RELEASES).status, (500, 503))
            self.assert_events_are_taken(service)
        self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
