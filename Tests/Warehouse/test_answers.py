"""Fleets as odd as clients, clocks and people can make them, shipped: every answer is the file's, to the byte."""

import json
import pathlib
import random
import sys
import tempfile
import unittest

import questions
from cluster import shared
from program import PROGRAM, done, run

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Answers"))
from commands import questions as all_questions, rfc3339  # noqa: E402
from fleets import Fleet  # noqa: E402

# The third has devices that were in two channels at one instant.
SEEDS, ASKED = (1, 2, 3, 4), 3
# Kept in files: a warehouse refuses them, which Tests/AnswersTests shows.
ONLY_IN_FILES = {"without-impossible", "only-attested"}


class Fleets(unittest.TestCase):
    """On one server, a database each."""

    def test_fleets(self):
        known = [question for question in all_questions(PROGRAM) if question.name != "breadcrumbs"]
        for seed in SEEDS:
            with self.subTest(seed=seed), tempfile.TemporaryDirectory(prefix="uptake-fleet-", ignore_cleanup_errors=True) as folder:
                self.ask(Fleet(seed), random.Random(f"warehouse {seed}"), known, f"fleet{seed}", pathlib.Path(folder))

    def ask(self, fleet, pick, known, database, folder):
        file, address = folder / "fleet.db", shared().address(database, servers=shared().servers[:1])
        self.store(fleet, folder, file)
        done("warehouse", "init", "--db", address)
        done("ship", "--batch", 40, "--db", file, "--to", address)
        asked = [self.words(question, fleet, pick) for question in pick.sample(known, ASKED)]
        self.assertEqual(questions.differences(file, address, asked), [])

    def store(self, fleet, folder, file):
        (folder / "events").write_text("".join(json.dumps(event) + "\n" for event in fleet.events))
        self.assertIn(run("import", folder / "events", "--quiet", "--db", file).status, (0, 6))
        (folder / "published").write_text(json.dumps([
            {**made, "publishedAt": rfc3339(made["publishedAt"]),
             "rollout": [{**step, "at": rfc3339(step["at"])} for step in made["rollout"]]} for made in fleet.publications]))
        if fleet.publications:
            done("release", "publish", "--from", folder / "published", "--db", file)

    def words(self, question, fleet, pick):
        """Names that begin with a dash stay names, here behind the options that are added."""
        options, names = question.combination(fleet, pick)
        options = [option for option in options if option[0] not in ONLY_IN_FILES]
        return [question.name, *(f"--{name}" if value is None else f"--{name}={value}" for name, value in options),
                *(name for name in names if not name.startswith("-"))]


if __name__ == "__main__":
    unittest.main()
