"""The files for Datasette: what they show equals the program's own answers, and they show and change nothing else."""
import csv
import hashlib
import io
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import yaml

from fleet import APP, DASHBOARDS, ask, run, simulated

METADATA = yaml.safe_load((DASHBOARDS / "datasette/metadata.yml").read_text())["databases"]["uptake"]


def small():
    """Five phones, told when things happened and nothing of when that came in: nobody is left out of any question."""
    def phone(number, *steps):
        for at, stage, trigger, *reason in steps:
            yield json.dumps({"app": APP, "device": f"d{number}", "channel": "production", "platform": "ios", "stage": stage,
                              "release": "1.0.0" if stage == "check" else "2.0.0", "trigger": trigger,
                              "at": f"2025-03-0{at}:00:00Z", **({"reason": reason[0]} if reason else {})})
    check = ("1T00", "check", "bgRefresh"), ("9T00", "check", "bgRefresh")
    yield from phone(1, *check, ("3T00", "available", "silentPush"), ("3T01", "ready", "silentPush"), ("3T02", "applied", "foreground"))
    yield from phone(2, *check, ("3T00", "available", "bgRefresh"), ("3T05", "ready", "bgRefresh"), ("3T04", "verified", "silentPush"),
                     ("4T02", "applied", "foreground"))
    yield from phone(3, *check, ("3T00", "available", "bgRefresh"), ("3T03", "verified", "bgRefresh"), ("5T02", "applied", "foreground"))
    yield from phone(4, *check, ("4T00", "available", "silentPush"), ("4T01", "ready", "silentPush"))
    yield from phone(5, *check, ("4T00", "available", "bgRefresh"), ("4T01", "downloadStarted", "bgRefresh"),
                     ("4T02", "failed", "bgRefresh", "DISK_FULL"))


class Datasette(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="uptake-datasette-", ignore_cleanup_errors=True)
        place = pathlib.Path(cls.folder.name)
        cls.source, cls.look = simulated(place), place / "look"
        shutil.copytree(DASHBOARDS / "datasette", cls.look)
        run("backup", cls.look / "uptake.db", "--db", cls.source)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def show(self, path, folder=None):
        """Exit status and text of one page, as `datasette FOLDER --get PATH` prints it."""
        done = subprocess.run([pathlib.Path(sys.executable).parent / "datasette", folder or self.look, "--get", path],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def rows(self, query, folder=None, **parameters):
        path = f"/uptake/{query}.json?" + urllib.parse.urlencode({"_shape": "array", **parameters})
        status, text = self.show(path, folder)
        self.assertEqual(status, 0, text)
        return json.loads(text)

    def release(self):
        return next(row["release"] for row in ask(self.source, "releases")["data"] if row["channel"] == "production")

    def test_every_query_has_rows_of_the_demo(self):
        self.assertGreaterEqual(len(METADATA["queries"]), 10)
        for name, query in METADATA["queries"].items():
            with self.subTest(name):
                self.assertTrue(query["title"] and query["description"])
                # What goes wrong on eighty phones depends on the hour: not every release has failures.
                asked = [{"release": release} for release in ("4.2.0", "4.3.1", "4.1.0")] if query.get("params") else [{}]
                rows = next(filter(None, (self.rows(name, **parameters) for parameters in asked)), [])
                # Nothing was told to anybody by this fleet.
                self.assertTrue(rows or name == "exports", name)

    def test_the_page_of_the_database_opens(self):
        status, text = self.show("/uptake")
        self.assertEqual(status, 0, text)
        self.assertIn("How far devices got with a release", text)
        for view in ("v1_event", "v1_release", "v1_rollout_step", "v1_export"):
            self.assertIn(f"/uptake/{view}", text)
        self.assertEqual(self.show("/uptake/v1_event?release=4.2.0&_facet=stage")[0], 0)

    def test_nothing_is_shown_but_views(self):
        """A copy holds the keys that ids are hashed with. A table that is new in the schema has to be withheld, too."""
        with sqlite3.connect(self.look / "uptake.db") as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
        self.assertIn("meta", tables)
        # The audit names people, and is for those who run the service.
        views = {name for name in tables if name.startswith("v1_")} - {"v1_audit"}
        for table in [name for name in tables if name not in views] + ["sqlite_schema", "sqlite_master"]:
            with self.subTest(table):
                status, text = self.show(f"/uptake/{table}.json?_shape=array")
                self.assertEqual(status, 1, text[:200])
                self.assertRegex(text, "Forbidden|not found")
        self.assertEqual({name for name, table in METADATA["tables"].items() if "allow" not in table}, views)

    def test_neither_own_sql_nor_the_file_is_given_out(self):
        for path in ("/uptake.json?sql=SELECT+value+FROM+meta", "/uptake/v1_event.json?_where=1+IN+(SELECT+1+FROM+meta)", "/uptake.db",
                     "/uptake/meta/backup.json", "/-/metadata.json?sql=x"):
            with self.subTest(path):
                status, text = self.show(path)
                if "metadata" not in path:
                    self.assertEqual(status, 1, text[:200])

    def test_writes_are_refused(self):
        """Even with own SQL allowed: the file is opened for reading."""
        open_folder = pathlib.Path(self.folder.name) / "open"
        shutil.copytree(self.look, open_folder)
        metadata = open_folder / "metadata.yml"
        metadata.write_text(metadata.read_text().replace("allow_sql: false", "allow_sql: true"))
        before = hashlib.sha256((open_folder / "uptake.db").read_bytes()).hexdigest()
        self.assertEqual(self.show("/uptake.json?sql=SELECT+1", open_folder)[0], 0)
        for statement in ("DELETE FROM event", "INSERT INTO name VALUES (1, 'x')", "WITH x AS (SELECT 1) DELETE FROM event",
                          "PRAGMA user_version = 9", "ATTACH 'x.db' AS x"):
            with self.subTest(statement):
                status, text = self.show("/uptake.json?" + urllib.parse.urlencode({"sql": statement}), open_folder)
                self.assertEqual(status, 1, text[:200])
        self.assertEqual(before, hashlib.sha256((open_folder / "uptake.db").read_bytes()).hexdigest())

    def test_equals_the_program(self):
        """Where nobody is left out and nobody comes late, devices are the same as in the program's answers."""
        folder = pathlib.Path(self.folder.name) / "small"
        shutil.copytree(DASHBOARDS / "datasette", folder)
        database = folder / "uptake.db"
        run("import", "-", "--db", database, "--now", "2025-03-10T00:00:00Z", input="\n".join(small()))
        run("release", "publish", "2.0.0", "--db", database, "--app", APP, "--at", "2025-03-02T00:00:00Z", "--rollout", "25%@0h,100%@24h")
        now = ("--now", "2025-03-10T00:00:00Z")
        stages = {row["stage"]: row["devices"] for row in self.rows("stages", folder, release="2.0.0")}
        funnel = ask(database, "funnel", "2.0.0", *now)["data"][0]["stages"]
        asked = {row["stage"]: row["reached"] - row["implied"] for row in funnel}
        self.assertEqual({stage: count for stage, count in asked.items() if count},
                         {stage: count for stage, count in stages.items() if stage != "failed"})
        told = {row["mechanism"]: row["devices"] for row in self.rows("mechanisms", folder, release="2.0.0")}
        asked = ask(database, "mechanisms", "2.0.0", *now)["data"][0]["eventsByMechanism"]
        self.assertEqual(told, {mechanism: count for mechanism, count in asked.items() if count})
        self.assertEqual(told, {"silentPush": 1, "bgRefresh": 2})
        self.assertEqual([row["soFar"] for row in self.rows("updates", folder, release="2.0.0")], [1, 2, 3])
        [failure] = self.rows("failures", folder, release="2.0.0")
        self.assertEqual((failure["reason"], failure["devices"]), ("DISK_FULL", 1))
        [release] = [row for row in self.rows("releases", folder) if row["release"] == "2.0.0"]
        self.assertEqual((release["percent"], release["channel"]), (100, "production"))
        self.assertEqual(self.rows("running", folder),
                         [{"app": APP, "channel": "production", "release": "1.0.0", "devices": 5, "last": "2025-03-09T00:00:00.000Z"}])

    def test_made_up_devices_are_newcomers_whatever_times_they_claim(self):
        folder = pathlib.Path(self.folder.name) / "newcomers"
        shutil.copytree(DASHBOARDS / "datasette", folder)
        database = folder / "uptake.db"

        def said(device, stage, release, day, received):
            return json.dumps({"app": APP, "device": device, "channel": "production", "platform": "ios", "stage": stage, "release": release,
                               "at": f"2025-03-0{day}T00:00:00Z", "received": f"2025-03-0{received}T00:00:00Z"})

        lines = [said("known", "check", "1.0.0", 1, 1), *(said(f"made up {number}", "check", "1.0.0", 1, 4) for number in range(3))]
        for device in "known", "made up 0", "made up 1", "made up 2":
            lines += [said(device, "applied", "2.0.0", 3, 4), said(device, "crashed", "2.0.0", 3, 4)]
        run("import", "-", "--db", database, "--now", "2025-03-10T00:00:00Z", input="\n".join(lines))
        run("release", "publish", "2.0.0", "--db", database, "--app", APP, "--at", "2025-03-02T00:00:00Z")
        self.assertEqual(self.rows("newcomers", folder, release="2.0.0"),
                         [{"app": APP, "channel": "production", "stage": "crashed", "devices": 4, "newcomers": 3}])


class Answers(unittest.TestCase):
    """`uptake export answers`: rows of a file of their own, equal to what the program prints."""
    QUESTIONS = "adoption", "time-to-update", "funnel", "failures", "mechanisms"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="uptake-answers-", ignore_cleanup_errors=True)
        cls.place = pathlib.Path(cls.folder.name)
        cls.source, cls.file = simulated(cls.place, devices=60), cls.place / "answers.db"
        cls.now = ask(cls.source, "releases")["query"]["now"]
        cls.export(cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def export(cls, file, *more, check=True):
        return run("export", "answers", "--db", cls.source, "--now", cls.now, "--output", file, *more, check=check)

    def rows(self, sql):
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql)]

    def printed(self, question, release):
        text = run(question, release, "--db", self.source, "--app", APP, "--by", "channel", "--now", self.now, "--format", "csv",
                   check=False).stdout
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def test_every_line_is_what_the_program_prints(self):
        releases = sorted({row["release"] for row in ask(self.source, "releases")["data"]})
        self.assertGreaterEqual(len(releases), 3)
        for question in self.QUESTIONS:
            view = self.rows("SELECT * FROM v1_" + question.replace("-", "_"))
            self.assertTrue(view, question)
            for release in releases[:1] + releases[-2:]:
                with self.subTest(question, release=release):
                    stored = [row for row in view if row["release"] == release]
                    printed = self.printed(question, release)
                    self.assertEqual(len(stored), len(printed))
                    for ours, theirs in zip(stored, printed):
                        self.assertEqual(list(ours), ["app", "release", *theirs])
                        self.assertEqual(ours["app"], APP)
                        for name, text in theirs.items():
                            value = ours[name]
                            self.assertEqual(text, value if isinstance(value, str) else "" if value is None else text)
                            if isinstance(value, (int, float)):
                                self.assertEqual(value, float(text), name)

    def test_it_takes_the_place_of_answers_only(self):
        before = self.source.read_bytes()
        refused = self.export(self.source, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("exists already", refused.stderr)
        self.assertEqual(before, self.source.read_bytes())
        other = self.place / "again.db"
        self.export(other)
        self.export(other, "--channel", "beta")
        with sqlite3.connect(other) as database:
            self.assertEqual(database.execute("SELECT DISTINCT channel FROM v1_adoption").fetchall(), [("beta",)])

    def test_no_device_and_no_key_is_in_it(self):
        """Nothing of the database but figures: Datasette may show all of it."""
        with sqlite3.connect(self.source) as database:
            devices = {row[0] for row in database.execute("SELECT DISTINCT device FROM v1_event LIMIT 100")}
        text = self.file.read_bytes().decode("latin-1")
        self.assertFalse([device for device in devices if device in text])

    def test_datasette_shows_the_views(self):
        done = subprocess.run([pathlib.Path(sys.executable).parent / "datasette", self.file, "--get",
                               "/answers/v1_adoption.json?_shape=array&_size=3"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), self.rows("SELECT * FROM v1_adoption LIMIT 3"))


if __name__ == "__main__":
    unittest.main()
