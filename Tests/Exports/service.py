"""`uptake serve` as a process of its own, on a port that the system chose."""
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from fleet import PROGRAM


class Service:
    def __init__(self, database, settings="", environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-service-", ignore_cleanup_errors=True)
        file = pathlib.Path(self.folder.name) / "uptake.toml"
        file.write_text(settings)
        self.log = open(pathlib.Path(self.folder.name) / "log", "w+")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--db", database, "--listen", "127.0.0.1:0", "--config", file],
            stdout=subprocess.PIPE, stderr=self.log, text=True, cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **(environment or {})})
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise AssertionError("it did not start: " + line + self.said())
        self.place = "http://" + line.split("http://")[1].split(",")[0]

    def ask(self, path, headers=None):
        """Status and text."""
        request = urllib.request.Request(self.place + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read().decode()

    def said(self):
        self.log.flush()
        with open(self.log.name) as log:
            return log.read()

    def stop(self):
        self.process.terminate()
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


def eventually(condition, seconds=300):
    """What the condition gives once it is true; None where it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    return None
