"""The system refuses a call in the middle of a commit; clocks jump; descriptors run out."""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from figures import figures
from fleet import Fleet
from folded import differences, refolded, settle
from service import PROGRAM, Client, Gone, Service, eventually, read, scaled, scratch


@contextlib.contextmanager
def refusing(service, call, error, place, count=1):
    """Makes the system refuse each thread's calls of that name, from the `place`-th on, so many of them."""
    log = scratch() / "calls"
    tracer = subprocess.Popen(
        ["strace", "-f", "-p", str(service.pid), "-e", f"trace={call}", "-o", str(log),
         "-e", f"inject={call}:error={error}:when={place}..{place + count - 1}"], stderr=subprocess.PIPE, text=True)
    while "attached" not in (line := tracer.stderr.readline()):
        assert line, "strace could not attach"
    injected = []
    try:
        yield injected
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=30)
        injected += [line for line in log.read_text(errors="replace").splitlines() if "(INJECTED)" in line]


class RefusedCalls(unittest.TestCase):
    def test_each_of_the_first_calls_of_a_commit_may_fail_and_nothing_answered_is_lost(self):
        rows = [("pwrite64", "EIO", scaled(12, 40)), ("pwrite64", "ENOSPC", scaled(12, 40)), ("fdatasync", "EIO", scaled(4, 10)),
                ("fdatasync", "ENOSPC", 2), ("ftruncate", "EIO", 2)]
        fleet, failures = Fleet(batch=40), 0
        with Service("--fold-after", "100ms", "--reserve", "1MiB") as service:
            for call, error, places in rows:
                for place in range(1, places + 1):
                    with self.subTest(call=call, error=error, place=place):
                        failures += self.refuse(service, fleet, call, error, place)
            self.assertGreater(failures, sum(row[2] for row in rows) / 2, "hardly any call was refused")
            self.assertGreater(fleet.statuses.get(503, 0), 0, "no commit failed")
            self.assertEqual(set(fleet.statuses), {200, 503})
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)
            self.assertEqual(differences(settle(service.directory), refolded(service.database)), {})
        figures(faults={
            "calls refused": failures, "requests told 503": fleet.statuses[503], "answered": len(fleet.acknowledged), "lost": 0})

    def refuse(self, service, fleet, call, error, place):
        with refusing(service, call, error, place) as injected:
            client = Client(service.port)
            # A commit makes a few calls of a kind: the later the place, the more commits it takes to get there.
            for _ in range(4 + place // 2):
                fleet.send(client)
        self.assertTrue(service.is_running)
        self.assertTrue(eventually(lambda: fleet.send(client).status == 200), "it did not recover")
        fleet.check(self, service.database)
        return len(injected)


class ClockJumps(unittest.TestCase):
    def clock(self, directory):
        """A file that holds by how many seconds the clock is off, and the environment in which it does."""
        offset, clock = directory / "offset", directory / "clock.so"
        offset.write_text("0")
        source = pathlib.Path(__file__).parent / "clock.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", clock, source, "-ldl"], check=True)
        return offset, {"LD_PRELOAD": str(clock), "CLOCK_OFFSET_FILE": str(offset)}

    def test_one_that_is_behind_at_the_start_sets_no_times_back(self):
        directory, fleet = scratch(), Fleet()
        offset, environment = self.clock(directory)
        first = Service(directory=directory, environment=environment)
        self.assertEqual(fleet.send(Client(first.port)).status, 200)
        self.assertEqual(first.stop(), 0)
        offset.write_text(str(-30 * 86_400))
        with Service(directory=directory, environment=environment) as service:
            refused = fleet.send(Client(service.port))
            self.assertEqual(refused.status, 503)
            self.assertIn("retry-after", refused.headers)
            self.assertEqual(service.ask("GET", "/readyz").status, 503)
            self.assertTrue(eventually(lambda: service.logged("clock_behind")))
            offset.write_text("0")
            self.assertTrue(eventually(lambda: service.ask("GET", "/readyz").status == 200))
            self.assertEqual(fleet.send(Client(service.port)).status, 200)
            self.assertTrue(eventually(lambda: service.logged("clock_is_right")))
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)

    def test_a_clock_that_jumps_ends_no_connection_and_loses_nothing(self):
        """Behind what it said when the first events were stored, nothing is taken; ahead of it, and back to it, all is."""
        directory = scratch()
        offset, environment = self.clock(directory)
        with Service("--idle-timeout", "20s", directory=directory, environment=environment) as service:
            fleet, client = Fleet(), Client(service.port)
            self.assertEqual(fleet.send(client).status, 200)
            noted = "SELECT count(*) FROM meta WHERE key IN ('received', 'clock')"
            self.assertTrue(eventually(lambda: read(service.database, noted) == [(1,)]))
            for jump in [0, 400, -3000, 14_000, -1, 0]:
                offset.write_text(str(jump * 86_400))
                expected = 200 if jump >= 0 else 503
                self.assertEqual(fleet.send(client).status, expected, jump)
                self.assertEqual(service.ask("GET", "/readyz").status, expected, jump)
                self.assertEqual(service.ask("GET", "/v1/answers/releases?app=com.example.load").status, 200, jump)
            self.assertEqual(service.metric("uptake_http_connections_timed_out_total"), 0)
            self.assertEqual(service.metric("uptake_ingest_clock_ahead_total"), 0, "no time is set back")
            self.assertEqual(set(fleet.stored(service.database)), fleet.acknowledged)
            days = [row[0] for row in read(service.database, "SELECT DISTINCT received / 86400000 FROM event")]
            self.assertGreater(max(days) - min(days), 13_000, "the service did not see the clock jump")
            self.assertEqual(service.stop(), 0)


    def test_one_that_is_set_back_keeps_nothing_waiting(self):
        """The machine's own is a day behind what the service is told: who waits by it for a moment waits for a day."""
        directory = scratch()
        offset, environment = self.clock(directory)
        offset.write_text(str(86_400))
        with Service("--fold-after", "100ms", directory=directory, environment=environment) as service:
            fleet, client = Fleet(), Client(service.port)
            for _ in range(5):
                self.assertEqual(fleet.send(client).status, 200)
            # Events are folded and keys are read again by threads that look every moment.
            folded = "SELECT value = (SELECT max(seq) FROM event) FROM meta WHERE key = 'folded'"
            self.assertTrue(eventually(lambda: read(service.database, folded) == [(1,)]), "events are not folded any more")
            subprocess.run([PROGRAM, "key", "create", "--app", "com.example.load", "--db", service.database], check=True, capture_output=True)
            self.assertTrue(eventually(lambda: client.ask("POST", "/v1/events").status == 401), "keys are not read any more")
            self.assertEqual(service.stop(), 0)


class Descriptors(unittest.TestCase):
    def test_running_out_of_descriptors_stops_nobody_for_good(self):
        limit = 36
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        with Service("--max-connections", "1000", limits=few) as service:
            fleet, first = Fleet(), Client(service.port)
            self.assertEqual(fleet.send(first).status, 200)
            crowd = [Client(service.port) for _ in range(limit)]
            self.assertTrue(eventually(lambda: service.open_files >= limit - 2), service.open_files)
            self.assertEqual(fleet.send(first).status, 200, "who is connected is still served")
            answer = first.ask("GET", "/v1/answers/releases?app=com.example.load")
            self.assertIn(answer.status, (200, 503), answer)
            self.assertEqual(fleet.send(first).status, 200)
            spent = service.status("voluntary_ctxt_switches")
            time.sleep(1)
            self.assertLess(service.status("voluntary_ctxt_switches") - spent, 2000, "it spins while it waits")
            for client in crowd:
                client.close()
            self.assertTrue(eventually(lambda: service.ask("GET", "/readyz").status == 200))
            # A question needs more than one of those that the crowd gives back.
            self.assertTrue(eventually(lambda: service.ask("GET", "/v1/answers/releases?app=com.example.load").status == 200))
            fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
