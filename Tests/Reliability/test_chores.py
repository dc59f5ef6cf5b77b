"""Pages, verdicts, news and summaries are made by processes of their own: what becomes of one does nothing to events."""
import contextlib
import os
import pathlib
import signal
import tempfile
import time
import unittest

from fleet import Fleet
from service import Client, Service, eventually
from test_workers import children, is_gone, open_names, state


def chores(service):
    """Processes of the service that do a chore just now."""
    return children(service, b"__chore")


def failures(service):
    """What the service said of chores that failed."""
    return [row for kind in ("report_failed", "summary_failed", "verdicts_failed") for row in service.logged(kind)]


class Chores(unittest.TestCase):
    def served(self, *options):
        # A chore of a service that was killed may write for a moment more.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.site = pathlib.Path(folder.name)
        service = Service("--reports", folder.name, "--report-every", "1s", *options)
        self.addCleanup(service.end)
        self.send(service)
        return service

    def send(self, service):
        client = Client(service.port)
        fleet = Fleet()
        fleet.numbers = iter(range(10_000_000 + time.monotonic_ns() % 1_000_000, 20_000_000))
        self.assertEqual(fleet.send(client).status, 200)
        client.close()

    def seized(self, service):
        """A chore that has begun, and stands still."""
        found = []

        def is_there():
            found[:] = chores(service)
            with contextlib.suppress(ProcessLookupError):
                for chore in found[:1]:
                    os.kill(chore, signal.SIGSTOP)
            # One that is about to end stands still no more.
            return bool(found) and eventually(lambda: is_gone(found[0]) or state(found[0]) == "T") and not is_gone(found[0])

        self.assertTrue(eventually(is_there), "no chore was begun")
        return found[0]

    def assert_pages_are_made(self, service):
        before = service.metric("uptake_report_last_success_timestamp_seconds")
        self.assertTrue(eventually(lambda: service.metric("uptake_report_last_success_timestamp_seconds") > before))
        self.assertEqual(service.ask("GET", "/").status, 200)

    def test_they_hold_nothing_of_the_service(self):
        service = self.served()
        chore = self.seized(service)
        # The C library asks the system how many cores there are; one that stands still as it begins reads its libraries.
        own = ("anon_inode:", str(service.database), str(self.site), "/proc/", "/sys/", "/usr/lib/", "/lib/", "/etc/")
        others = [name for name in open_names(chore) if not name.startswith(own) and ".so" not in pathlib.Path(name).name]
        self.assertEqual(others, [])
        self.assertNotEqual(os.getpgid(chore), os.getpgid(service.pid))
        os.kill(chore, signal.SIGCONT)
        self.assert_pages_are_made(service)

    def test_one_that_is_killed_costs_nothing_but_its_pages(self):
        service = self.served()
        os.kill(self.seized(service), signal.SIGKILL)
        self.send(service)
        self.assertTrue(eventually(lambda: service.metric("uptake_chore_processes_ended_total") >= 1))
        # Who counts it says it right after, on a thread that gives way to all others.
        self.assertTrue(eventually(lambda: failures(service)), "nothing was said of it")
        self.assertIn("signal 9", failures(service)[0]["reason"])
        self.assert_pages_are_made(service)
        self.assertEqual(service.stop(), 0)

    def test_events_are_taken_while_one_stands_still(self):
        service = self.served()
        chore = self.seized(service)
        for _ in range(5):
            self.send(service)
        self.assertEqual(service.ask("GET", "/readyz").status, 200)
        os.kill(chore, signal.SIGCONT)
        self.assert_pages_are_made(service)

    def test_verdicts_are_told_to_prometheus(self):
        service = self.served()
        self.assertTrue(eventually(lambda: "uptake_verdict_timestamp_seconds{" in service.ask("GET", "/metrics").body.decode()))

    def test_without_memory_events_are_taken(self):
        service = self.served("--question-memory", "1MiB")
        self.assertTrue(eventually(lambda: service.metric("uptake_report_failures_total") >= 2))
        self.send(service)
        self.assertEqual(service.ask("GET", "/readyz").status, 200)
        self.assertEqual(service.stop(), 0)

    def test_they_end_with_the_service(self):
        service = self.served()
        chore = self.seized(service)
        service.kill()
        os.kill(chore, signal.SIGCONT)
        self.assertTrue(eventually(lambda: is_gone(chore)))

    def test_they_end_when_the_service_is_told_to(self):
        service = self.served()
        chore = self.seized(service)
        begin = time.monotonic()
        self.assertEqual(service.stop(), 0)
        self.assertLess(time.monotonic() - begin, 40)
        self.assertTrue(eventually(lambda: is_gone(chore)))


if __name__ == "__main__":
    unittest.main()
