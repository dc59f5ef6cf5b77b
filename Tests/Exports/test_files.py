"""Exports that are files, read by what others read them with."""
import csv
import io
import json
import sqlite3
import subprocess

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from fleet import APP, FleetTest, instant


class Files(FleetTest):
    @classmethod
    def setUpClass(cls):
        from fleet import Fleet
        cls.shared = Fleet(instant("2025-03-12T00:00:00Z"), channels=("production", '=a,"b"'))
        cls.addClassCleanup(cls.shared.close)

    def text(self, name, *more):
        return self.shared.export(name, "--now", "2025-03-12T00:00:00Z", *more).stdout

    def test_all_say_the_same_figures(self):
        document = json.loads(self.text("json"))
        self.assertEqual((document["schema"], document["generatedAt"]), ("uptake.rollouts/1", "2025-03-12T00:00:00Z"))
        figures = {(row["channel"], row["release"]): row for row in document["data"]}
        self.assertEqual(len(figures), 4)
        failing = figures["production", "2.0.0"]
        self.assertEqual((failing["verdict"], failing["failed"], failing["devices"]), ("Stop: failing", 25, 300))
        self.assertIsNone(figures["production", "1.0.0"]["adoptionLo"], "what cannot be estimated is null")
        self.assertEqual([chapter["kind"] for chapter in failing["story"]][0], "published")
        rows = {(row["channel"].removeprefix("'"), row["release"]): row for row in csv.DictReader(io.StringIO(self.text("csv")))}
        self.assertEqual(set(rows), set(figures))
        for place, row in rows.items():
            for name in ("devices", "updated", "adoption", "adoptionLo", "failureRate", "medianSeconds", "bySilentPush"):
                value = figures[place][name]
                self.assertEqual(row[name], "" if value is None else json.dumps(value).removesuffix(".0"), (place, name))
        families = list(text_string_to_metric_families(self.text("openmetrics")))
        samples = {(family.name, sample.labels["channel"], sample.labels["release"]): sample.value
                   for family in families for sample in family.samples}
        self.assertEqual(samples["uptake_rollout_failure_rate", "production", "2.0.0"], failing["failureRate"])
        self.assertEqual(samples["uptake_rollout_devices", '=a,"b"', "2.0.0"], 300)
        self.assertNotIn(("uptake_rollout_adoption_lo", "production", "1.0.0"), samples)

    def test_a_channel_that_nobody_knows_is_told(self):
        done = self.shared.export("json", "--now", "2025-03-12T00:00:00Z", "--channel", "prodution,production")
        self.assertEqual({row["channel"] for row in json.loads(done.stdout)["data"]}, {"production"})
        self.assertIn('warning: nothing was ever on channel "prodution", so nothing is told of it; known channels: ', done.stderr)
        self.assertNotIn("prodution", self.shared.export("json", "--channel", "production", "--now", "2025-03-12T00:00:00Z").stderr)

    def test_how_far_an_unregistered_release_was_let_is_not_known(self):
        fleet = self.fleet(instant("2025-03-12T00:00:00Z"))
        fleet.add("first", [(2, "applied", "3.0.0")])
        rows = json.loads(fleet.export("json", "--now", "2025-03-12T00:00:00Z").stdout)["data"]
        self.assertEqual({row["release"]: (row["stage"], row["percent"]) for row in rows},
                         {"1.0.0": ("superseded", 100), "2.0.0": ("complete", 100), "3.0.0": ("inferred", None)})

    def test_columns_of_one_type_each(self):
        """What a loader sees that takes the type of a column from its values."""
        rows = list(csv.DictReader(io.StringIO(self.text("crashlytics"))))
        self.assertGreater(len(rows), 3)
        for column in rows[0]:
            self.assertRegex(column, "^[a-z][a-z_]*$")
            values = [row[column] for row in rows if row[column]]
            numbers = [value for value in values if value.replace(".", "").replace("-", "").replace("e", "").isdigit()]
            if column not in ("release",) and numbers:
                self.assertTrue(all(float(value) >= 0 for value in values) if not values[0].endswith("Z") else True, column)
        self.assertEqual(self.shared.export("csv", "--send", check=False).returncode, 2)
