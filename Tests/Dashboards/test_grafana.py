"""The boards for Grafana as files: layout, words and sources. Their queries are run by test_prometheus."""
import json
import re
import unittest

import yaml

from fleet import DASHBOARDS
from grafana import boards

KINDS = {"prometheus": "${metrics}", "frser-sqlite-datasource": "${events}"}


class Layout(unittest.TestCase):
    each = staticmethod(lambda: boards().values())

    def test_there_are_three(self):
        self.assertEqual(set(boards()), {"rollout", "ingest", "data"})
        self.assertEqual(len({board.data["uid"] for board in boards().values()}), 3)

    def test_ids_are_unique(self):
        for board in self.each():
            ids = [panel["id"] for panel in board.placed]
            self.assertEqual(len(ids), len(set(ids)), board.title)
            titles = [panel["title"] for panel in board.panels]
            self.assertEqual(len(titles), len(set(titles)), board.title)

    def test_nothing_overlaps_or_leaves_the_page(self):
        for board in self.each():
            taken = {}
            for panel in board.placed:
                place = panel["gridPos"]
                self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
                self.assertGreaterEqual(min(place["x"], place["y"]), 0)
                for x in range(place["x"], place["x"] + place["w"]):
                    for y in range(place["y"], place["y"] + place["h"]):
                        self.assertIsNone(taken.get((x, y)), f"{panel['title']} lies on {taken.get((x, y))}")
                        taken[x, y] = panel["title"]

    def test_every_panel_says_what_it_shows_and_in_which_unit(self):
        for board in self.each():
            for panel in board.panels:
                self.assertGreater(len(panel["description"]), 20, panel["title"])
                self.assertTrue(panel["description"].endswith("."), panel["title"])
                self.assertTrue(panel["fieldConfig"]["defaults"].get("unit"), panel["title"])
                self.assertTrue(panel["targets"], panel["title"])
                references = [target["refId"] for target in panel["targets"]]
                self.assertEqual(len(references), len(set(references)), panel["title"])

    def test_what_reads_all_events_waits_until_somebody_looks(self):
        """Grafana asks nothing for the panels of a closed row: a screen on the wall would read the whole copy each minute."""
        for board in self.each():
            for panel in board.data["panels"]:
                sources = {target["datasource"]["type"] for target in panel.get("targets", [])}
                self.assertNotIn("frser-sqlite-datasource", sources, panel["title"])
            for row in board.rows:
                self.assertEqual(bool(row.get("panels")), row["collapsed"], row["title"])

    def test_figures_are_of_now(self):
        """The last value of a range is that of a service that is gone, and of releases that were replaced since."""
        for board in self.each():
            for panel in board.panels:
                if panel["type"] == "stat":
                    self.assertEqual({(target["instant"], target["range"]) for target in panel["targets"]}, {(True, False)},
                                     panel["title"])

    def test_sources_are_variables(self):
        """A board that names a source of its author's is empty everywhere else."""
        for board in self.each():
            declared = {f"${{{one['name']}}}" for one in board.variables if one["type"] == "datasource"}
            for panel in board.panels:
                for place in [panel, *panel["targets"]]:
                    source = place["datasource"]
                    self.assertEqual(source["uid"], KINDS[source["type"]], panel["title"])
                    self.assertIn(source["uid"], declared)
            self.assertNotRegex(json.dumps(board.data), r"https?://")

    def test_sql_quotes_what_is_chosen(self):
        """A release or an app may be named with a quote in it."""
        for board in self.each():
            for title, target in board.targets("frser-sqlite-datasource"):
                text = target["rawQueryText"]
                self.assertEqual(text, target["queryText"])
                for variable in re.findall(r"\$\{?(\w+)(:?\w*)", text):
                    self.assertTrue(variable[0].startswith("__") or variable[1] == ":sqlstring", f"{title}: {variable}")
                self.assertIsNone(re.search(r"\b(event|journey|device|meta|release|publication) [a-z]\b|FROM (?!v1_|first|said)\w", text), title)

    def test_provisioning_names_the_same_kinds(self):
        folder = DASHBOARDS / "grafana/provisioning"
        sources = yaml.safe_load((folder / "datasources/uptake.yml").read_text())["datasources"]
        self.assertEqual({source["type"] for source in sources}, set(KINDS))
        [sqlite] = [source for source in sources if source["type"] == "frser-sqlite-datasource"]
        self.assertEqual(sqlite["jsonData"]["attachLimit"], 0)
        [provider] = yaml.safe_load((folder / "dashboards/uptake.yml").read_text())["providers"]
        self.assertEqual(provider["type"], "file")
