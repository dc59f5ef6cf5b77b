"""The notebook, run by Jupyter: it shows what the program answers, and it is shipped without results."""
import datetime
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import unittest.mock

import nbclient
import nbformat
import traitlets.config

from fleet import APP, DASHBOARDS, PROGRAM, ask, run, simulated, words

# Sockets that only this user may open.
LOCAL = traitlets.config.Config({"KernelManager": {"transport": "ipc"}})
NOTEBOOK = DASHBOARDS / "notebooks" / "release.ipynb"
TOLD = """
import json
print(json.dumps({"place": [app, release, channel], "curve": curve.drop(columns=["at"]).to_dict("records"),
                  **{name: json.loads(rows.to_json(orient="records", double_precision=15)) for name, rows in
                     {"adoption": adoption, "funnel": funnel, "mechanisms": mechanisms, "failures": failures}.items()}}))
"""


class Notebook(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="uptake-notebook-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def exported(self, source, *arguments):
        """How the commands of the notebook's first cell end, typed into a shell."""
        lines = re.search(r"```\n(.*?)```", nbformat.read(NOTEBOOK, 4).cells[0].source, re.S).group(1)
        path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
        done = [subprocess.run(["/bin/sh", "-c", " ".join([line, *arguments])], cwd=self.folder, capture_output=True, text=True,
                               env={"PATH": path, "UPTAKE_DB": str(source)}) for line in lines.splitlines()]
        self.assertEqual(len(done), 3)
        return [one.returncode for one in done]

    def shown(self):
        """The pictures, and the numbers that the notebook has at its end."""
        book = nbformat.read(NOTEBOOK, 4)
        book.cells.append(nbformat.v4.new_code_cell(TOLD))
        with unittest.mock.patch.dict(os.environ, {"UPTAKE_EXPORTS": str(self.folder)}):
            nbclient.NotebookClient(book, timeout=120, config=LOCAL).execute()
        outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
        return [output for output in outputs if "image/png" in output.get("data", {})], json.loads(outputs[-1]["text"])

    def near(self, ours, theirs, *about):
        """The same number, or the same silence."""
        self.assertEqual(ours is None, theirs is None, about)
        if ours is not None:
            self.assertAlmostEqual(ours, theirs, places=9, msg=about)

    def test_it_shows_what_the_program_answers(self):
        # Enough devices in the first step of the newest release that its curve goes on into the next one.
        source = simulated(self.folder, devices=800)
        present = ("--now", words(datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)))
        self.assertEqual(self.exported(source, *present), [0, 0, 0])
        pictures, told = self.shown()
        self.assertEqual(len(pictures), 3)
        app, release, channel = told["place"]
        self.assertEqual(app, APP)

        def answer(question, *options):
            rows = ask(source, question, release, "--channel", channel, *present, *options)["data"]
            self.assertEqual(len(rows), 1)
            return rows[0]

        adoption = answer("adoption")
        self.assertEqual([row["age"] for row in told["adoption"]], [age["seconds"] for age in adoption["ages"]])
        for row, age in zip(told["adoption"], adoption["ages"]):
            self.near(row["adoption"], age["share"]["value"], age)
            self.near(row["adoption_lo"], age["share"]["lo"], age)
        points = answer("adoption", "--clock", "release-age")["curve"]["points"]
        self.assertEqual(len(told["curve"]), len(points))
        self.assertGreater(len(points), 20)
        for row, point in zip(told["curve"], points):
            self.assertEqual((row["age"], row["atRisk"]), (point["seconds"], point["atRisk"]))
            self.near(row["adoption"], point["value"], point)
        stages = answer("funnel")["stages"]
        self.assertEqual([(row["stage"], row["reached"]) for row in told["funnel"]], [(one["stage"], one["reached"]) for one in stages])
        failures = answer("failures")
        self.assertEqual([(row["attempts"], row["failed"]) for row in told["failures"]], [(failures["attempts"], failures["failed"])])
        shares, compared = {row["mechanism"]: row for row in told["mechanisms"]}, 0
        for age in answer("mechanisms")["ages"]:
            for one in age["shares"]:
                if one["events"]:
                    self.near(shares[one["mechanism"]][f"share{age['seconds']}"], one["share"]["value"], one)
                    compared += 1
        self.assertGreater(compared, 3)

    def test_three_devices_and_no_update(self):
        events = [{"device": device, "app": APP, "release": "2.0", "at": "2025-03-01T00:00:00Z", **more} for device, more in (
            ("a", {"stage": "available"}), ("b", {"stage": "available"}), ("c", {"stage": "failed", "reason": "disk full"}))]
        run("import", "-", "--db", self.folder / "few.db", "--quiet", input="\n".join(map(json.dumps, events)))
        self.assertEqual(self.exported(self.folder / "few.db"), [0, 0, 0])
        pictures, told = self.shown()
        self.assertEqual(len(pictures), 3)
        self.assertEqual({row["adoption"] for row in told["adoption"]}, {0})
        self.assertEqual({row["adoption_lo"] for row in told["adoption"]}, {None}, "what three devices do not tell is not told")

    def test_nothing_to_show_is_said(self):
        event = {"device": "a", "app": APP, "release": "1.0", "stage": "check", "at": "2025-03-01T00:00:00Z"}
        run("import", "-", "--db", self.folder / "none.db", "--quiet", input=json.dumps(event))
        self.assertEqual(self.exported(self.folder / "none.db"), [4, 4, 0])
        with self.assertRaisesRegex(nbclient.exceptions.CellExecutionError, "answers.db says nothing of any release"):
            self.shown()

    def test_it_is_shipped_without_results(self):
        book = nbformat.read(NOTEBOOK, 4)
        nbformat.validate(book)
        for cell in book.cells:
            self.assertFalse(cell.get("outputs") or cell.get("execution_count"), cell.id)


if __name__ == "__main__":
    unittest.main()
