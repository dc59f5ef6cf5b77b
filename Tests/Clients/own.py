"""Clients of our own as programs that obey a line of words each, and what may go wrong between them and a service."""

import contextlib
import http.client
import json
import os
import pathlib
import random
import resource
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "clients"
BUILT = ROOT / ".build" / "clients"
CASES = json.loads((SOURCES / "cases.json").read_text())
#: A short first pause; nothing is sent but by `flush`.
SOON = ("base=1", "delay=60000")
#: A first pause that no test outlasts.
LATE = ("base=600000", "delay=60000")


def compile_once(language, commands):
    """Compiles where a source is newer than what was built. A compiler that is missing fails the test."""
    stamp = BUILT / f"{language}.stamp"
    sources = [path for path in (SOURCES / language).rglob("*") if path.is_file() and ".build" not in path.parts]
    if not stamp.exists() or max(path.stat().st_mtime for path in sources) > stamp.stat().st_mtime:
        BUILT.mkdir(parents=True, exist_ok=True)
        for words in commands:
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(f"{' '.join(map(str, words))}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        stamp.touch()


def typescript():
    compile_once("typescript", [["tsc", "-p", "clients/typescript", "--outDir", BUILT / "typescript"]])
    return ["node", BUILT / "typescript/test/probe.js"]


def swift():
    compile_once("swift", [["swift", "build", "--package-path", "clients/swift", "--scratch-path", BUILT / "swift", "--product", "probe"]])
    return [BUILT / "swift/debug/probe"]


def kotlin():
    jar = BUILT / "kotlin.jar"
    compile_once("kotlin", [["kotlinc", *(f"clients/kotlin/{part}" for part in ("src", "android", "test")), "-include-runtime", "-d", jar]])
    return ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", jar, "uptake.ProbeKt"]


class Probe:
    """A client in a process of its own."""

    def __init__(self, program, folder, url, *settings):
        self.process = subprocess.Popen([*program, folder, url, *settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8", restore_signals=False)
        assert self.hear() == "open", "the client does not start"

    def hear(self):
        """Empty once the process has ended."""
        return self.process.stdout.readline().removesuffix("\n")

    def say(self, *words):
        self.tell(*words)
        return self.hear()

    def tell(self, *words):
        # One that was killed hears nothing, and says nothing.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("\t".join(words) + "\n")
            self.process.stdin.flush()

    def kill(self):
        self.process.kill()

    def limit_files(self, size=resource.RLIM_INFINITY):
        """To so many bytes each, as if the disk were full: what goes beyond is torn and an error, no signal."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait(timeout=60)


class Trouble:
    """Stands between a client and a service, and lets each request fare as `fate` says.

    Fates: pass; down (no connection is answered), lost (stored, the answer never comes), slow, portal (a page of somebody
    else), large (413 for more than one event), firewall (403 for a body that it takes for an attack), kill and killStored
    (`victim` dies before the service, or the client, hears of it), redirect (to `elsewhere`, with the body), or a status.
    """

    def __init__(self, service):
        self.service = service
        self.fate = lambda: "pass"
        self.victim = None
        self.elsewhere = None
        self.events = []
        self.fates = []
        self.kills = 0
        trouble = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    trouble.handle(self, body)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that was killed amid its request."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, request, body):
        self.events += json.loads(body)["events"]
        fate = self.fate()
        self.fates.append(fate)
        match fate:
            case "pass":
                self.answer(request, *self.forward(body))
            case "slow":
                threading.Event().wait(0.3)
                self.answer(request, *self.forward(body))
            case "down":
                self.hang_up(request)
            case "lost":
                self.forward(body)
                self.hang_up(request)
            case "kill" | "killStored":
                if fate == "killStored":
                    self.forward(body)
                self.victim.kill()
                self.kills += 1
            case "portal":
                self.answer(request, 200, {}, b"<html>Welcome to our hotel</html>")
            case "redirect":
                self.answer(request, 307, {"Location": f"{self.elsewhere}/v1/events"}, b"")
            case "large":
                many = len(json.loads(body)["events"]) > 1
                self.answer(request, *((413, {}, b"") if many else self.forward(body)))
            case "firewall":
                self.answer(request, *((403, {}, b"<html>Forbidden</html>") if b"<script>" in body else self.forward(body)))
            case status:
                after = {"Retry-After": "1"} if status == 429 else {}
                self.answer(request, status, after, b'{"error":{"code":"trouble","message":"as asked"}}')

    def forward(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        connection.request("POST", "/v1/events", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        taken = answer.status, {}, answer.read()
        connection.close()
        return taken

    def answer(self, request, status, headers, body):
        request.send_response(status)
        for name, value in {**headers, "Content-Length": len(body)}.items():
            request.send_header(name, str(value))
        request.end_headers()
        request.wfile.write(body)

    def hang_up(self, request):
        request.close_connection = True
        request.connection.shutdown(socket.SHUT_RDWR)


def kills():
    return 200 if os.environ.get("UPTAKE_SOAK") else 12


def chance(seed):
    """The fate of a request, at random: a fifth ends the client at each of the two points between queue and answer."""
    dice = random.Random(seed)
    fates = ["kill"] * 4 + ["killStored"] * 4 + ["pass"] * 5 + ["down", "lost", "slow", "portal", "large", 500, 503, 429]
    return lambda: dice.choice(fates)
