"""What goes out of a warehouse as files: the same as of a file, or refused with words."""

import contextlib
import json
import sqlite3
import unittest

from cluster import PASSWORD, shared
from program import NOW, Files, done, run


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = Files()
        cls.addClassCleanup(cls.files.remove)
        cls.address = shared().address("exported", servers=shared().servers[:1])
        done("warehouse", "init", "--db", cls.address)
        cls.file = cls.files.database("exported", cls.files.lines)
        done("ship", "--db", cls.file, "--to", cls.address)

    def export(self, name, place, ending, *more):
        output = self.files.folder / f"{name}-{place == self.file}{ending}"
        ended = done("export", name, *more, "--output", output, "--now", NOW, "--db", place)
        return output, ended.errors

    def test_journeys(self):
        """To the byte, whatever numbers releases and channels have in either."""
        (ours, words), (theirs, _) = (
            self.export("journeys", place, ".parquet", "--format", "parquet") for place in (self.file, self.address))
        self.assertRegex(words, r": [1-9]\d+ rows")
        self.assertEqual(theirs.read_bytes(), ours.read_bytes())

    def test_curves(self):
        ours, theirs = (self.export("parquet", place, ".parquet")[0].read_bytes() for place in (self.file, self.address))
        self.assertGreater(len(ours), 1000)
        self.assertEqual(theirs, ours)

    def test_answers(self):
        """Row by row."""
        lines = []
        for place in self.file, self.address:
            with contextlib.closing(sqlite3.connect(self.export("answers", place, ".db", "--release", "4.4.0")[0])) as connection:
                lines.append(list(connection.iterdump()))
        self.assertGreater(len(lines[0]), 30)
        self.assertEqual(lines[0], lines[1])

    def test_figures(self):
        """Of the newest releases."""
        for name in "json", "csv", "openmetrics":
            ours, theirs = (self.export(name, place, "." + name)[0].read_text() for place in (self.file, self.address))
            self.assertGreater(len(ours), 100)
            self.assertEqual(theirs, ours)

    def test_only_in_files(self):
        """Single events are each node's; what was sent to whom is remembered in a file."""
        output, secret = self.files.folder / "never.parquet", self.files.folder / "secret"
        secret.write_text("glsa_none")
        for code, words in {
            "only_in_files": ["export", "events", "--format", "parquet", "--output", output],
            "not_a_file": ["export", "grafana", "--to", "http://127.0.0.1:1/", "--secret-file", secret],
        }.items():
            ended = run(*words, "--db", self.address)
            error = json.loads(ended.errors.splitlines()[-1])
            self.assertEqual((ended.status != 0, error["code"]), (True, code), ended.errors)
            self.assertIn("--db", str(error["hint"]))
            self.assertNotIn(PASSWORD, ended.errors)
        self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main()
