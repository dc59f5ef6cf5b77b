"""Whole screens as they are: what stands where at 80, 100 and 140 columns, of a fleet with a release that is being stopped.

RECORD=1 writes them anew, and fails once.
"""
import os
import pathlib
import re
import tempfile
import unittest

from fleet import run
from screen import Screen

RECORDED = pathlib.Path(__file__).parent / "recorded"
NOW = "2025-06-27T00:00:00Z"
ASKED = {
    "status": ["status", "--now", NOW],
    "releases": ["releases", "--now", NOW],
    "verdict": ["verdict", "--now", NOW],
    "verdict-stopped": ["verdict", "4.3.0", "--now", "2025-06-14T00:00:00Z"],
    "watch": ["watch", "--once", "--now", NOW],
}


class Screens(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="uptake-screens-", ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.folder.cleanup)
        cls.database = f"{cls.folder.name}/uptake.db"
        events, publications = f"{cls.folder.name}/e.ndjson", f"{cls.folder.name}/p.json"
        run("simulate", "--scenario", "demo", "--devices", "600", "--until", NOW, "--out", events, "--publications", publications, "--quiet")
        run("release", "publish", "--from", publications, "--db", cls.database)
        run("import", events, "--db", cls.database, "--quiet")

    def shown(self, words, columns):
        screen = Screen(*words, "--db", "uptake.db", "--no-color", columns=columns, rows=40, cwd=self.folder.name)
        self.addCleanup(screen.close)
        screen.to_the_end()
        text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screen.raw.decode()).replace("\r", "")
        return "\n".join(line.rstrip() for line in text.split("\n"))

    def check(self, name):
        changed = []
        for columns in (80, 100, 140):
            text, file = self.shown(ASKED[name], columns), RECORDED / f"{name}-{columns}.txt"
            # A command that is there to be pasted is left whole.
            wide = [line for line in text.split("\n") if len(line) > columns and not line.startswith("next: ")]
            self.assertEqual(wide, [], f"lines of {name} do not fit into {columns} columns")
            if "RECORD" in os.environ and (not file.exists() or file.read_text() != text):
                file.write_text(text)
                changed.append(file.name)
            self.assertEqual(text, file.read_text(), f"{file.name} is another screen now; if it is the better one: RECORD=1")
        self.assertEqual(changed, [], "recorded anew")

    def test_status(self):
        self.check("status")

    def test_releases(self):
        self.check("releases")

    def test_verdict(self):
        self.check("verdict")

    def test_verdict_of_a_release_that_is_stopped(self):
        self.check("verdict-stopped")

    def test_watch(self):
        self.check("watch")


if __name__ == "__main__":
    unittest.main()
