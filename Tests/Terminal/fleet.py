"""A simulated fleet in a database of its own, and a service over it."""

import datetime
import os
import subprocess
import tempfile
import threading

PROGRAM = os.environ["UPTAKE_PROGRAM"]
APP = "com.example.shop"


def environment(**more):
    """Of a terminal that understands colours, with no settings of this machine."""
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": "/nonexistent", **more}


def run(*words):
    done = subprocess.run([PROGRAM, *words], env=environment(), capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


class Fleet:
    """Some phones whose month ends now, so that what is sent now belongs to it."""

    def __init__(self, devices=150):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-terminal-", ignore_cleanup_errors=True)
        self.database = f"{self.folder.name}/uptake.db"
        events, publications = f"{self.folder.name}/e.ndjson", f"{self.folder.name}/p.json"
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        run("simulate", "--devices", str(devices), "--until", now, "--out", events, "--publications", publications)
        run("release", "publish", "--from", publications, "--db", self.database)
        run("import", events, "--db", self.database)
        os.unlink(events)

    def key(self, scope):
        return run("key", "create", "--app", APP, "--scope", scope, "--db", self.database).strip()

    def close(self):
        self.folder.cleanup()


class Service:
    def __init__(self, database):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--db", database, "--listen", "127.0.0.1:0"], env=environment(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
        line = self.process.stdout.readline()
        self.url = line.split("listens on ")[1].split(",")[0]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()
