"""What a terminal shows and a pipe does not."""
import re
import unittest

from screen import Screen
from test_mcp import WithFleet


class Shown(WithFleet):
    def shown(self, *words, **more):
        screen = Screen(*words, **more)
        self.addCleanup(screen.close)
        while screen.process.poll() is None:
            screen.read(0.05)
        screen.read(0.05)
        return screen.raw.decode()

    def test_completion_says_where_it_belongs(self):
        shown = self.shown("completion", "fish")
        self.assertTrue(shown.startswith("next: mkdir -p ~/.config/fish/completions && uptake completion fish > "), shown[:200])

    def test_notes_break_at_words(self):
        shown = self.shown("adoption", "4.2.0", "--db", self.fleet.database, "--output", "/dev/null", "--format", "csv", columns=40)
        lines = [line for line in shown.replace("\r", "").split("\n") if not line.startswith("next: ")]
        self.assertTrue(any(lines), shown)
        self.assertLessEqual(max(len(line) for line in lines), 40, shown)

    def test_long_work_says_how_long_it_takes(self):
        out = f"{self.fleet.database}.site"
        shown = self.shown("report", "--db", self.fleet.database, "--out", out, "--timings")
        took = re.search(r"questions ([\d.]+)s", shown)
        if not took or float(took[1]) < 1:
            self.skipTest("the questions are answered too quickly here")
        self.assertIn("asking", shown)


if __name__ == "__main__":
    unittest.main()
