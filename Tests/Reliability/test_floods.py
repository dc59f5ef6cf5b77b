"""A flood from one address, one key or one asker does not take the service away from the others."""
import os
import subprocess
import tempfile
import time
import unittest

from fleet import Fleet, event, lines
from service import PROGRAM, Client, Gone, Service, eventually, in_threads, scaled, scratch

PROXY = ["--trusted-proxy", "127.0.0.1"]


def key(database, app, scope):
    words = [PROGRAM, "key", "create", "--db", database, "--scope", scope] + (["--app", app] if app else [])
    return subprocess.run(words, capture_output=True, check=True, text=True).stdout.strip()


def flood(port, count, **headers):
    """Asks so often, as fast as it can; answers the statuses and the last refusal."""
    client, statuses, refusal = Client(port), {}, None
    for _ in range(count):
        answer = client.ask("GET", "/healthz", **headers)
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        if answer.status == 429:
            refusal = answer
    return statuses, refusal


class Rates(unittest.TestCase):
    def test_one_address_is_slowed_down_and_its_neighbour_is_not(self):
        with Service(*PROXY, "--rate-per-address", "20") as service:
            statuses, refusal = flood(service.port, 1000, X_Forwarded_For="192.0.2.1")
            self.assertGreater(statuses[429], 0)
            self.assertEqual(refusal.code, "too_many_requests")
            self.assertGreater(int(refusal.headers["retry-after"]), 0)
            # 20 seconds' worth at once, then the rate.
            self.assertGreaterEqual(statuses[200], 400)
            self.assertLess(statuses[200], 1000)
            neighbour, _ = flood(service.port, 100, X_Forwarded_For="192.0.2.2")
            self.assertNotIn(429, neighbour)
            self.assertGreater(service.metric("uptake_http_requests_limited_total"), 0)

    def test_an_address_is_an_ipv6_network_and_what_a_client_claims_does_not_count(self):
        with Service(*PROXY, "--rate-per-address", "10") as service:
            statuses, _ = flood(service.port, 500, X_Forwarded_For="2001:db8:1:2::1")
            self.assertGreater(statuses[429], 0)
            same, _ = flood(service.port, 150, X_Forwarded_For="2001:db8:1:2:ffff::9")
            self.assertIn(429, same)
            claimed, _ = flood(service.port, 150, X_Forwarded_For="203.0.113.5, 2001:db8:1:2::7")
            self.assertIn(429, claimed, "the address that the proxy saw counts, not what stands before it")
            other, _ = flood(service.port, 50, X_Forwarded_For="2001:db8:1:3::1")
            self.assertNotIn(429, other)

    def test_this_machine_is_not_limited_unless_it_is_a_proxy(self):
        with Service("--rate-per-address", "1") as service:
            statuses, _ = flood(service.port, 100, X_Forwarded_For="192.0.2.1")
            self.assertEqual(set(statuses), {200})

    def test_one_key_is_slowed_down_and_the_other_app_is_not(self):
        directory = scratch()
        database = directory / "uptake.db"
        leaked, other = key(database, "a", "ingest"), key(database, "b", "ingest")
        # So few that also a slow disk stores more of them.
        with Service("--rate-per-key", "2", directory=directory) as service:
            client, statuses = Client(service.port), {}
            for number in range(400):
                answer = client.ask("POST", "/v1/events", b'{"device":"d","stage":"check"}', X_Uptake_Key=leaked)
                statuses[answer.status] = statuses.get(answer.status, 0) + 1
            self.assertGreater(statuses[429], 0)
            self.assertGreaterEqual(statuses[200], 40)
            self.assertEqual(client.ask("POST", "/v1/events", b'{"device":"d","stage":"check"}', X_Uptake_Key=other).status, 200)

    def test_many_addresses_are_remembered_in_bounded_memory(self):
        with Service(*PROXY, "--rate-per-address", "1") as service:
            client = Client(service.port)

            def addresses(from_number, count):
                for number in range(from_number, from_number + count, 50):
                    some = range(number, number + 50)
                    client.send(b"".join(
                        f"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.{one >> 16}.{one >> 8 & 255}.{one & 255}\r\n\r\n"
                        .encode() for one in some))
                    for _ in some:
                        self.assertEqual(client.receive().status, 200)

            addresses(0, 20_000)
            before = service.status("VmRSS")
            addresses(20_000, scaled(70_000, 1_000_000))
            self.assertLess(service.status("VmRSS") - before, 16 << 10)


# No summary knows this cut: every device is looked at.
WALKS = "/v1/answers/time-to-update?release=1.1&app=com.example.load&reach-window=7d"


class Questions(unittest.TestCase):
    def test_a_flood_of_questions_leaves_events_and_health_alone(self):
        directory = scratch()
        file = directory / "events.ndjson"
        file.write_bytes(lines(range(1, scaled(60_000, 1_000_000))))
        subprocess.run([PROGRAM, "import", "--db", directory / "uptake.db", "--quiet", file], check=True, capture_output=True)
        with Service("--question-threads", "1", directory=directory) as service:
            stop, statuses = [], {}

            def ask(_):
                client = Client(service.port)
                while not stop:
                    answer = client.ask("GET", WALKS)
                    statuses[answer.status] = statuses.get(answer.status, 0) + 1
                    if answer.status == 503:
                        self.assertEqual((answer.code, answer.headers["retry-after"]), ("too_many_questions", "2"))
                        time.sleep(0.05)

            askers = in_threads(48, ask)
            self.assertTrue(eventually(lambda: statuses.get(503, 0) > 0 and statuses.get(200, 0) > 0), statuses)
            fleet, client, times = Fleet(), Client(service.port), []
            fleet.numbers = iter(range(2_000_000, 3_000_000))
            for _ in range(50):
                start = time.monotonic()
                self.assertEqual(fleet.send(client).status, 200)
                self.assertEqual(client.ask("GET", "/healthz").status, 200)
                times.append(time.monotonic() - start)
            stop.append(True)
            for asker in askers:
                asker.join(60)
            self.assertEqual(set(statuses), {200, 503})
            # Others may keep the machine busy for a moment; who waits for questions does so every time.
            self.assertLess(sorted(times)[len(times) * 9 // 10], 5)
            self.assertEqual(service.stop(), 0)
            print(f"48 askers of a thread: answered {statuses[200]}, refused {statuses[503]}; events beside them at most {max(times):.2f} s")

    def test_a_question_that_takes_too_long_is_given_up(self):
        directory = scratch()
        file = directory / "events.ndjson"
        file.write_bytes(lines(range(1, 30_000)))
        subprocess.run([PROGRAM, "import", "--db", directory / "uptake.db", "--quiet", file], check=True, capture_output=True)
        with Service("--question-timeout", "1ms", directory=directory) as service:
            answer = service.ask("GET", WALKS)
            self.assertEqual((answer.status, answer.code), (503, "question_too_long"))
            self.assertEqual(service.ask("GET", "/healthz").status, 200)


if __name__ == "__main__":
    unittest.main()
