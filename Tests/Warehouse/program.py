"""The program under test, and files with events."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from cluster import PASSWORD

PROGRAM = os.environ["UPTAKE_PROGRAM"]
# All events of the simulated month lie before it.
NOW = "2025-06-30T00:00:00Z"
# Certificates to trust; the system's where there are none.
TRUST = None


def start(*arguments, password=PASSWORD):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UPTAKE_")}
    return subprocess.Popen(
        [PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(environment, UPTAKE_WAREHOUSE_PASSWORD=password, UPTAKE_WAREHOUSE_TRUST=str(TRUST or ""),
                 UPTAKE_ERROR_FORMAT="json"))


class Ended:
    def __init__(self, process, seconds=600):
        self.output, self.errors = process.communicate(timeout=seconds)
        self.status = process.returncode


def run(*arguments, **options):
    return Ended(start(*arguments, **options))


def done(*arguments, **options):
    """The same, where nothing may go wrong."""
    ended = run(*arguments, **options)
    assert ended.status == 0, f"uptake {' '.join(map(str, arguments))}: exit {ended.status}: {ended.errors}"
    return ended


class Files:
    """Databases in a folder of their own; `lines` are the events of a small fleet, publications beside them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uptake-files-"))
        self.publications = self.folder / "publications.json"
        done("simulate", "--devices", 40, "--out", self.folder / "events.ndjson", "--publications", self.publications)
        self.lines = (self.folder / "events.ndjson").read_text().splitlines(keepends=True)
        # Nodes of one warehouse begin as copies of one file without events: it has the keys by which ids become hashes.
        self.empty = self.folder / "empty.db"
        done("key", "list", "--db", self.empty)

    def database(self, name, lines):
        """A new file with events."""
        path = self.folder / f"{name}.db"
        done("backup", path, "--db", self.empty)
        self.add(path, lines)
        done("release", "publish", "--from", self.publications, "--db", path)
        return path

    def add(self, path, lines):
        events = self.folder / "some.ndjson"
        events.write_text("".join(lines))
        ended = run("import", events, "--quiet", "--now", NOW, "--db", path)
        assert ended.status in (0, 6), ended.errors

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
