"""What asks before it does what cannot be undone: on a terminal, and nowhere else."""

import subprocess
import unittest

from fleet import APP, PROGRAM, environment, run
from screen import Screen
from test_mcp import WithFleet


class Forgetting(WithFleet):
    def setUp(self):
        event = '{"app":"%s","device":"d-%s","stage":"check"}\n' % (APP, self.id())
        done = subprocess.run([PROGRAM, "import", "-", "--db", self.fleet.database], input=event, env=environment(),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.words = ["forget", f"d-{self.id()}", "--app", APP, "--db", self.fleet.database]

    def is_known(self):
        done = subprocess.run([PROGRAM, "breadcrumbs", *self.words[1:], "--json"], env=environment(), capture_output=True, text=True)
        return '"check"' in done.stdout

    def answer(self, text, *more):
        screen = Screen(*self.words, *more)
        self.addCleanup(screen.close)
        if text is not None:
            screen.until(lambda said: "[y/N]" in said)
            screen.type(text)
        screen.to_the_end()
        return screen.process.returncode, screen.text

    def test_yes(self):
        status, said = self.answer("y\n")
        self.assertEqual(status, 0, said)
        self.assertIn("Forget 1 device of com.example.shop", said)
        self.assertFalse(self.is_known())

    def test_anything_else_is_no(self):
        for text in ["\n", "n\n", "what\n", "\x04"]:
            status, said = self.answer(text)
            self.assertEqual(status, 1, said)
            self.assertIn("nothing was forgotten", said)
        self.assertTrue(self.is_known())

    def test_said_beforehand(self):
        status, said = self.answer(None, "--yes")
        self.assertEqual((status, "[y/N]" in said), (0, False), said)
        self.assertFalse(self.is_known())

    def test_where_nobody_may_be_asked(self):
        status, said = self.answer(None, "--no-input")
        self.assertEqual(status, 2, said)
        self.assertIn("--yes", said)
        self.assertTrue(self.is_known())

    def test_a_script_is_not_asked_and_is_told_of_unknown_devices(self):
        run(*self.words)
        again = subprocess.run([PROGRAM, *self.words], env=environment(), capture_output=True, text=True)
        self.assertEqual(again.returncode, 4, again.stderr)
        self.assertIn("nothing is known of that device", again.stderr)


if __name__ == "__main__":
    unittest.main()
