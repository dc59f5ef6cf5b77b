"""What a terminal shows and a pipe does not."""
import os
import re
import unittest

from screen import Screen
from test_mcp import WithFleet


class Shown(WithFleet):
    def shown(self, *words, **more):
        screen = Screen(*words, **more)
        self.addCleanup(screen.close)
        screen.to_the_end()
        return screen.raw.decode()

    def test_completion_says_where_it_belongs(self):
        shown = self.shown("completion", "fish")
        self.assertTrue(shown.startswith("next: mkdir -p ~/.config/fish/completions && uptake completion fish > "), shown[:200])

    def test_notes_break_at_words(self):
        shown = self.shown("adoption", "4.2.0", "--db", self.fleet.database, "--output", "/dev/null", "--format", "csv", columns=40)
        lines = [line for line in shown.replace("\r", "").split("\n") if not line.startswith("next: ")]
        self.assertTrue(any(lines), shown)
        self.assertLessEqual(max(len(line) for line in lines), 40, shown)

    def test_no_time_and_no_command_is_cut(self):
        database = self.fleet.database
        for words in (["verdict"], ["release", "list"], ["devices", "4.2.0"], ["audit"], ["doctor"]):
            for columns in (60, 80, 100):
                with self.subTest(words=words, columns=columns):
                    shown = self.shown(*words, "--db", database, "--no-color", columns=columns).replace("\r", "")
                    self.assertNotRegex(shown, r"\d\d-\d\d( [\d:]*)?( U?T?)?…", shown)
                    for line in shown.split("\n"):
                        self.assertTrue(len(line) <= columns or "uptake " in line or line.startswith("database: "), line)
        self.assertRegex(self.shown("doctor", "--db", database), rf"\nbackup: uptake backup .*--db {re.escape(database)}\r\n")

    def test_a_fleet_is_not_printed_on_a_screen(self):
        shown = self.shown("simulate")
        self.assertTrue(shown.startswith("error: the events of a fleet are too many for a screen"), shown[:200])
        self.assertIn('"stage"', self.shown("simulate", "--devices", "1", "--days", "1", "--out", "-"))

    def test_long_work_says_how_long_it_takes(self):
        out = f"{self.fleet.database}.site"
        shown = self.shown("report", "--db", self.fleet.database, "--out", out, "--timings")
        took = re.search(r"questions ([\d.]+)s", shown)
        # Seconds of the processor: they have taken a second by the clock where there are as many as cores.
        if not took or float(took[1]) < len(os.sched_getaffinity(0)):
            self.skipTest("the questions are answered too quickly here")
        self.assertIn("asking", shown)


if __name__ == "__main__":
    unittest.main()
