"""Clients that are slow, silent, many, greedy or lying; the others go on as if they were alone."""
import gzip
import json
import os
import resource
import socket
import struct
import time
import unittest
import zlib

from fleet import Fleet, lines
from service import Client, Gone, Service, eventually, in_threads, request, scaled

IDLE = 10_000


def lift_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Slow(unittest.TestCase):
    """Deadlines of a second or two, so that the tests are quick."""

    def setUp(self):
        self.service = Service("--header-timeout", "1s", "--body-timeout", "1s", "--idle-timeout", "2s",
                               "--max-connections-per-address", "20000")

    def tearDown(self):
        self.assertEqual(self.service.ask("GET", "/healthz").status, 200)
        self.service.end()

    def crowd(self, start, drip, count=200):
        """Clients that send a beginning and then a byte now and then; answers them once all were ended."""
        clients = [Client(self.service.port) for _ in range(count)]
        for client in clients:
            client.send(start)
        fleet, ended = Fleet(), 0
        end = time.monotonic() + 60
        while ended < count and time.monotonic() < end:
            self.assertEqual(self.honest(fleet), 200, "an honest client is served beside them")
            for client in clients:
                try:
                    client.socket.send(drip)
                except OSError:
                    pass
            ended = sum(1 for client in clients if is_over(client))
            time.sleep(0.1)
        self.assertEqual(ended, count, "slow clients are not ended")
        self.assertEqual(fleet.stored(self.service.database), sorted(fleet.acknowledged))
        return clients

    def honest(self, fleet):
        """What a client of its own is told. Where the machine stood still for so long that it was idle, another one asks."""
        for _ in range(3):
            client = Client(self.service.port)
            try:
                return fleet.send(client).status
            except Gone:
                continue
            finally:
                client.close()
        return None

    def test_headers_that_drip_are_ended(self):
        self.crowd(b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"x")

    def test_bodies_that_drip_are_told_and_ended(self):
        clients = self.crowd(b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n", b"[")
        told = sum(1 for client in clients if b" 408 " in client.rest)
        self.assertGreater(told, len(clients) / 2)

    def test_silent_connections_are_ended(self):
        self.crowd(b"", b"")

    def test_clients_that_vanish_are_forgotten(self):
        # What the service opens for itself is open by then.
        self.assertEqual(self.service.ask("GET", "/v1/answers/releases").status, 404)
        before = self.service.open_files
        for kind in range(200):
            client = Client(self.service.port)
            client.send(request("POST", "/v1/events", b"x" * 1000)[:500])
            # A reset instead of an end, as when a phone's network is gone and its kernel says so later.
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        half_open = [Client(self.service.port) for _ in range(100)]
        for client in half_open:
            client.send(b"GET /hea")
            client.socket.shutdown(socket.SHUT_WR)
        self.assertTrue(eventually(lambda: self.service.open_files <= before + 2), "descriptors leak")

    def test_clients_that_do_not_read_do_not_fill_the_memory(self):
        before = self.service.status("VmHWM")
        clients = [Client(self.service.port) for _ in range(50)]
        for client in clients:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.socket.settimeout(0.2)
            try:
                client.socket.sendall(request("GET", "/metrics") * 2000)
            except OSError:
                pass
        self.assertEqual(self.service.ask("GET", "/readyz").status, 200)
        self.assertLess(self.service.status("VmHWM") - before, 64 << 10)


    def test_what_anybody_may_read_is_in_memory_once_and_made_once(self):
        self.service.ask("GET", "/openapi.json")
        before, spent = self.service.status("VmHWM"), cpu(self.service)
        clients = [Client(self.service.port) for _ in range(1000)]
        for client in clients:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(request("GET", "/openapi.json"))
        self.assertEqual(self.service.ask("GET", "/readyz").status, 200)
        self.assertLess(self.service.status("VmHWM") - before, 64 << 10, "a copy for each would be 139 MB")
        asked = cpu(self.service) - spent
        self.assertLess(asked / len(clients), 0.005, "seconds of the processor for each")


def cpu(service):
    """Seconds of the processor that the service has taken."""
    fields = open(f"/proc/{service.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_over(client):
    try:
        client.socket.setblocking(False)
        while piece := client.socket.recv(4096):
            client.rest += piece
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


class Crowd(unittest.TestCase):
    @unittest.skipIf(lift_limit() < IDLE + 500, "the limit of open files is too low")
    def test_ten_thousand_idle_connections_cost_little_and_disturb_nobody(self):
        with Service("--max-connections-per-address", "20000") as service:
            fleet, client = Fleet(), Client(service.port)
            fleet.send(client)
            before = service.status("VmRSS")
            crowd = [Client(service.port) for _ in range(IDLE)]
            self.assertTrue(eventually(lambda: service.metric("uptake_http_connections") >= IDLE))
            start = time.monotonic()
            for _ in range(50):
                self.assertEqual(fleet.send(client).status, 200)
            beside = time.monotonic() - start
            # Most of them wake up at once.
            for one in crowd[::10]:
                one.send(request("GET", "/healthz"))
            for one in crowd[::10]:
                self.assertEqual(one.receive().status, 200)
            cost = (service.status("VmRSS") - before) / IDLE
            self.assertLess(cost, 24, "kilobytes for each idle connection")
            self.assertLess(beside, 30)
            for one in crowd:
                one.close()
            self.assertEqual(service.stop(), 0)
            print(f"{IDLE} idle connections: {cost:.1f} KB each, 50 requests beside them in {beside:.2f} s")

    def test_connections_of_one_address_are_capped_and_the_cap_is_said(self):
        with Service("--max-connections-per-address", "50") as service:
            crowd = [Client(service.port) for _ in range(50)]
            for client in crowd:
                self.assertEqual(client.ask("GET", "/healthz").status, 200)
            answer = Client(service.port).receive()
            self.assertEqual((answer.status, answer.code), (429, "too_many_connections"))
            self.assertGreater(int(answer.headers["retry-after"]), 0)
            elsewhere = Client(service.port, source="127.0.0.2")
            self.assertEqual(elsewhere.ask("GET", "/healthz").status, 200)


class Greedy(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.fleet = Fleet()

    def tearDown(self):
        self.assertEqual(self.fleet.send(Client(self.service.port)).status, 200)
        self.assertEqual(self.service.stop(), 0)
        self.service.end()

    def test_bombs_are_refused_in_bounded_memory(self):
        self.fleet.send(Client(self.service.port))
        before = self.service.status("VmHWM")
        zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = b"".join(zeros.compress(bytes(1 << 20)) for _ in range(1024)) + zeros.flush()
        nested = gzip.compress(gzip.compress(bytes(50 << 20)))
        spaces = gzip.compress(b" " * (60 << 20) + b"{}")
        for body, statuses in [(bomb, {413}), (nested, {400}), (spaces, {400, 413}), (bomb[: len(bomb) // 2], {413})]:
            threads = in_threads(4, lambda _: self.service.ask("POST", "/v1/events", body, Content_Encoding="gzip"))
            answer = self.service.ask("POST", "/v1/events", body, Content_Encoding="gzip")
            self.assertIn(answer.status, statuses, answer)
            for thread in threads:
                thread.join()
        grown = (self.service.status("VmHWM") - before) >> 10
        self.assertLess(grown, 400, "megabytes for bombs of a gigabyte, five at once")
        print(f"bombs of 1 GB, five at once: {grown} MB more at the peak")

    def test_requests_in_one_packet_are_answered_in_order(self):
        client = Client(self.service.port)
        numbers = [self.fleet.take() for _ in range(50)]
        packet = b"".join(
            request("POST", "/v1/events", lines(some), Content_Type="application/x-ndjson") + request("GET", "/healthz")
            for some in numbers)
        client.send(packet)
        for some in numbers:
            self.assertEqual(json.loads(client.receive().body)["accepted"], len(some))
            self.assertEqual(client.receive().body, b"ok\n")
            self.fleet.acknowledged.update(some)
        self.fleet.check(self, self.service.database)

    def test_everything_oversized_is_refused(self):
        rows = [
            (request("GET", "/healthz", X_Long="x" * 20_000), 431),
            (request("GET", "/" + "x" * 100_000), 414),
            (b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8388609\r\n\r\n", 413),
            (b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
            (request("PUT", "/v1/releases/" + "x" * 200, b'{"app":"a"}'), 400),
            (request("GET", "/v1/answers/" + "x" * 1000), 404),
            (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 10_000 + b"\r\n", 431),
            (request("G" * 5000, "/"), 404), (request("G" * 5000, "/healthz"), 405)]
        for data, status in rows:
            client = Client(self.service.port)
            client.send(data)
            try:
                self.assertEqual(client.receive().status, status, data[:60])
            except Gone:
                # Headers that leave no memory to answer in end the connection.
                self.assertEqual(status, 431, data[:60])

    def test_requests_that_two_programs_could_read_differently_end_the_connection(self):
        hidden = b"GET /v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
        heads = [
            b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
            b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n" + hidden,
            b"Transfer-Encoding: xchunked\r\n\r\n" + hidden, b"Content-Length: +5\r\n\r\nhello" + hidden,
            b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
            b"X: y\r\n Content-Length: 40\r\n\r\n" + hidden, b"Content-Length:\r\n 45\r\n\r\n" + hidden,
            b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + hidden, b"Content-Length: 0\x0045\r\n\r\n" + hidden]
        for head in heads:
            client = Client(self.service.port)
            client.send(b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\n" + head)
            self.assertTrue(client.is_ended(), head)
            self.assertNotIn(b"hidden", client.rest, "the hidden request was answered")
            self.assertRegex(client.rest, rb"^HTTP/1.1 (400|501)", head)
        self.assertNotIn("hidden", self.service.ask("GET", "/metrics").body.decode())


if __name__ == "__main__":
    unittest.main()
