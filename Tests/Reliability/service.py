"""A service under test: the built program as a process of its own, and clients that speak to it over plain sockets."""
import contextlib
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

PROGRAM = os.environ.get("UPTAKE_PROGRAM", "")
SOAK = os.environ.get("UPTAKE_SOAK") == "1"
# Seconds; what works in the background gives way to all others, and other suites run beside this one.
PATIENCE = 120


def scaled(short, soak):
    """How much of something: little for every change, much for the long runs."""
    return soak if SOAK else short


def scratch():
    return pathlib.Path(tempfile.mkdtemp(prefix="uptake-reliability-"))


class Service:
    """`uptake serve` on a port that the system chose. `prefix` runs it under another program."""

    def __init__(self, *options, directory=None, prefix=(), environment=None, limits=None):
        self.directory = pathlib.Path(directory or scratch())
        self.database = self.directory / "uptake.db"
        self.log = scratch() / "log.ndjson"
        command = [*prefix, PROGRAM, "serve", "--db", str(self.database), "--listen", "127.0.0.1:0", *options]
        self.errors = open(self.log, "ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, cwd="/", preexec_fn=limits, start_new_session=True,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **(environment or {})})
        self.port = self._port()
        self.pid = self.process.pid if not prefix else self._child()

    def _port(self):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline().decode() if ready else ""
        if "listens on" not in line:
            self.process.kill()
            raise AssertionError(f"the service did not start: {line!r}; {self.log.read_text()[-500:]}")
        return int(line.split(",")[0].rsplit(":", 1)[1])

    def _child(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if children else self.process.pid

    def kill(self):
        """As the system ends a process that it has no memory for."""
        os.kill(self.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        self._release()

    def stop(self):
        """Asks it to end; answers the exit status."""
        os.kill(self.pid, signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self._release()
        return status

    def _release(self):
        self.errors.close()
        self.process.stdout.close()

    def end(self):
        """Whatever state it is in."""
        if self.process.poll() is None:
            self.kill()
        for directory in (self.directory, self.log.parent):
            shutil.rmtree(directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def is_running(self):
        return self.process.poll() is None

    def logged(self, event):
        lines = self.log.read_text(errors="replace").splitlines()
        return [fields for fields in map(parsed, lines) if fields and fields.get("event") == event]

    def ask(self, method="GET", path="/healthz", body=b"", **headers):
        client = Client(self.port)
        try:
            return client.ask(method, path, body, **headers)
        finally:
            client.close()

    def metric(self, name, **headers):
        """The sum of all series of that name."""
        text = self.ask("GET", "/metrics", **headers).body.decode()
        rows = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
        return sum(float(value) for series, value in rows if series.split("{")[0] == name)

    def status(self, field):
        """A line of /proc/PID/status, in kilobytes where it is a size."""
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
        raise KeyError(field)

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["error"]["code"]

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r}"


class Gone(Exception):
    """The connection ended before a whole answer."""


class Client:
    """One connection, used again and again."""

    def __init__(self, port, host="127.0.0.1", source=None, patience=PATIENCE):
        self.socket = socket.create_connection(
            (host, port), timeout=patience, source_address=(source, 0) if source else None)
        self.rest = b""

    def close(self):
        self.socket.close()

    def ask(self, method="GET", path="/healthz", body=b"", **headers):
        self.send(request(method, path, body, **headers))
        return self.receive(has_body=method != "HEAD")

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            # A server may answer before it has read everything.
            if not self._more():
                raise Gone(str(error)) from error

    def _more(self):
        try:
            piece = self.socket.recv(65536)
        except OSError:
            return False
        self.rest += piece
        return bool(piece)

    def receive(self, has_body=True):
        while b"\r\n\r\n" not in self.rest:
            if not self._more():
                raise Gone(f"after {len(self.rest)} bytes")
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        length = int(headers.get("content-length", 0)) if has_body else 0
        while len(self.rest) < length:
            if not self._more():
                raise Gone("within a body")
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(int(lines[0].split()[1]), headers, body)

    def is_ended(self):
        """Whether the server ends the connection, and not our patience."""
        try:
            while piece := self.socket.recv(65536):
                self.rest += piece
            return True
        except socket.timeout:
            return False
        except OSError:
            return True


def request(method, path, body=b"", **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in names.items())
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body


def free_port():
    """One that nothing listens on, and that the system gives to no connection: thousands are open beside this while a server starts."""
    chance = random.SystemRandom()
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", chance.randrange(12_000, 32_000)))
            return probe.getsockname()[1]


def eventually(condition, patience=PATIENCE):
    """Asks until it holds; false when it never did."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def read(database, sql):
    """Rows, read by another SQLite than the program's own connection."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def in_threads(count, body):
    """Runs `body(number)` in as many threads and answers those threads."""
    threads = [threading.Thread(target=body, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads
