"""`next:` leads from what is wrong to what to do: who pastes the line again and again comes to an end, and never back."""

import json
import os
import shlex
import subprocess
import tempfile
import unittest

from fleet import PROGRAM, environment, run

ABOUT_A_RELEASE = ["verdict", "adoption", "time-to-update", "mechanisms", "failures", "suspects", "funnel", "forecast", "reach"]
OF_ALL = [["verdict"], ["releases"], ["channels"], ["push"], ["wakeups"]]
SCENARIOS = ["bad-release", "stalls", "healthy-but-slow", "fault-crash-system", "push-throttling"]


class Next(unittest.TestCase):
    def setUp(self):
        self.known = {}

    def following(self, command):
        """The command that one leads to; None at the end of the walk."""
        if command not in self.known:
            done = subprocess.run([PROGRAM, *command[1:]], env=environment(UPTAKE_FORMAT="table"), capture_output=True, text=True, cwd="/")
            self.assertIn(done.returncode, (0, 3, 4), f"{command}: {done.stderr}")
            lines = [line for line in done.stdout.split("\n") if line.startswith("next: ")]
            self.known[command] = tuple(shlex.split(lines[0].removeprefix("next: "))) if lines else None
        return self.known[command]

    def walk(self, *command):
        path = []
        while command:
            path.append(command)
            command = self.following(command)
            back = [one for one in path if command and one[1] == command[1] and not self.is_narrower(command, one)]
            self.assertEqual(back, [], "goes back:\n" + "\n".join(map(shlex.join, [*path, command or ()])))
        self.assertEqual(path[-1][1], "diagnose", "ends elsewhere:\n" + "\n".join(map(shlex.join, path)))

    @staticmethod
    def is_narrower(command, before):
        """The same question about fewer devices, or split further."""
        return set(command) > set(before)

    def test_every_walk_ends(self):
        for name in SCENARIOS:
            with tempfile.TemporaryDirectory(prefix="uptake-next-") as folder, self.subTest(name):
                events, publications, database = (f"{folder}/{file}" for file in ("e.ndjson", "p.json", "uptake.db"))
                run("simulate", "--scenario", name, "--devices", "200", "--out", events, "--publications", publications)
                run("release", "publish", "--from", publications, "--db", database)
                run("import", events, "--db", database)
                os.unlink(events)
                self.walk_from(database)

    def walk_from(self, database):
        """On the day of the newest release, and where the data end."""
        answer = json.loads(run("releases", "--db", database, "--json"))
        published = sorted(answer["data"], key=lambda row: row["publishedAt"])
        first, newest = published[0]["release"], published[-1]["release"]
        starts = OF_ALL + [[question, newest] for question in ABOUT_A_RELEASE] + [["compare", newest, first]]
        for now in (published[-1]["publishedAt"][:11] + "23:00:00Z", answer["dataThrough"]):
            for words in starts:
                self.walk("uptake", *words, "--db", database, "--now", now)


if __name__ == "__main__":
    unittest.main()
