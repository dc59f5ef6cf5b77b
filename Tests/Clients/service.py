"""A running `uptake serve` of its own, on a port that the system chose, and what it stored."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PROGRAM = os.environ["UPTAKE_PROGRAM"]


def run(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


class Service:
    def __init__(self, *options):
        self.directory = tempfile.mkdtemp(prefix="uptake-")
        self.database = self.directory + "/uptake.db"
        self.options = options
        self.watching = {}
        self.start()

    def start(self):
        with open(self.directory + "/log", "ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--db", self.database, "--listen", "127.0.0.1:0", *self.options],
                stdout=subprocess.PIPE, stderr=log, text=True)
        said = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+),", said).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def restart(self):
        """On the same database; the port is another."""
        self.stop()
        self.start()

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def ask(self, path, body=None, headers=None, method=None):
        """Status, headers and body, whatever the status is."""
        request = urllib.request.Request(self.url + path, data=body, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()

    def log(self):
        """What it has told of itself."""
        with open(self.directory + "/log") as log:
            return [json.loads(line) for line in log if line.startswith("{") and line.endswith("}\n")]

    def require_key(self, *options):
        """From here on nobody is heard without a key. Answers the new one, which is empty for a registered credential."""
        app = () if "--app" in options else ("--app", "com.example.demo")
        key = run("key", "create", "--db", self.database, *app, *options).strip()
        watching = run("key", "create", "--db", self.database, "--scope", "metrics").strip()
        self.watching = {"X-Uptake-Key": watching}
        self.process.send_signal(1)
        if eventually(lambda: self.ask("/v1/events", b"{}")[0] == 401):
            return key
        raise AssertionError("the service does not read its keys")

    def stored(self, columns="stage, release, trigger", order="at, seq"):
        """Read by another program than ours; by `seq`, in the order in which they came."""
        import sqlite3
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as connection:
            rows = connection.execute(f'SELECT {columns} FROM v1_event ORDER BY {order}').fetchall()
        return [" ".join("-" if value is None else str(value) for value in row) for row in rows]

    def dropped(self, dialect):
        _, _, text = self.ask("/metrics", headers=self.watching)
        found = re.findall(r'uptake_dialect_dropped_total\{dialect="%s",reason="(\w+)"\} (\d+)' % dialect, text.decode())
        return {reason: int(count) for reason, count in found}


def eventually(condition, seconds=60):
    """Asks until it holds; false when it never did."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def answer(database, *question):
    """What a question answers, also where there is too little data for it to be sure (exit status 4)."""
    words = [PROGRAM, *question, "--db", database, "--format", "json"]
    asked = subprocess.run(words, capture_output=True, text=True)
    if asked.returncode not in (0, 4):
        raise AssertionError(f"{words}: {asked.stderr}")
    return json.loads(asked.stdout)
