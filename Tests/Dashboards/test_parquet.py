"""Parquet files, read by two programs that others trust: the rows are those of the database."""
import json
import pathlib
import sqlite3
import tempfile
import unittest

import duckdb
import pyarrow.parquet

from fleet import APP, run, simulated

TRAITS = ["region", "deviceModel", "tags"]
STAGES = "available downloadStarted downloadCompleted verified ready applied confirmed dismissed failed rolledBack crashed".split()


class Parquet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="uptake-parquet-", ignore_cleanup_errors=True)
        cls.place = pathlib.Path(cls.folder.name)
        cls.source = simulated(cls.place, devices=60)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def export(self, target, *more, source=None, check=True):
        file = self.place / f"{target}.parquet"
        done = run("export", target, "--format", "parquet", "--db", source or self.source, "--output", file, *more, check=check)
        return file if check else done

    def stored(self, sql):
        with sqlite3.connect(self.source) as database:
            return database.execute(sql).fetchall()

    def test_events_are_those_of_the_database(self):
        file = self.export("events")
        columns = [column[1] for column in self.stored("PRAGMA table_info(v1_event)")]
        ours = ["sequence" if name == "seq" else name for name in columns]
        table = pyarrow.parquet.read_table(file)
        table.validate(full=True)
        self.assertEqual(sorted(table.schema.names), sorted([*ours, *TRAITS]))
        rows = [{**row, **{name: row[name] and row[name].isoformat(timespec="milliseconds").replace("+00:00", "Z") for name in ("at", "received")}}
                for row in table.drop_columns(TRAITS).to_pylist()]
        stored = [dict(zip(ours, row)) for row in self.stored("SELECT * FROM v1_event ORDER BY seq")]
        for row in stored:
            row["emulator"] = None if row["emulator"] is None else bool(row["emulator"])
        self.assertEqual(rows, stored)
        self.assertEqual(duckdb.sql(f"SELECT count(*), count(DISTINCT device) FROM '{file}'").fetchall(),
                         self.stored("SELECT count(*), count(DISTINCT device) FROM v1_event"))

    def test_events_say_what_devices_say_of_themselves(self):
        source = self.place / "traits.db"
        told = [{"region": "DE", "deviceModel": "Pixel 8", "tags": {"plan": "pro", "tier": 'a "b"'}}, {"deviceModel": "日本"}, {}]
        lines = (json.dumps({"app": APP, "device": f"d{number}", "stage": "check", "release": "1", "at": 1_740_000_000_000 + number, "network": "wifi", **one})
                 for number, one in enumerate(told))
        run("import", "-", "--db", source, input="\n".join(lines))
        rows = pyarrow.parquet.read_table(self.export("events", source=source)).select(TRAITS).to_pylist()
        found = [{name: json.loads(text) if name == "tags" else text for name, text in row.items() if text is not None} for row in rows]
        self.assertEqual(found, told)

    def test_journeys_are_first_times_of_events(self):
        file = self.export("journeys")
        for stage in STAGES:
            with self.subTest(stage):
                firsts = duckdb.sql(f"""SELECT release, channel, device, strftime({stage}At, '%Y-%m-%dT%H:%M:%S.%gZ') FROM '{file}'
                    WHERE {stage}At IS NOT NULL ORDER BY ALL""").fetchall()
                self.assertEqual(firsts, self.stored(f"""SELECT release, channel, device, min(at) FROM v1_event
                    WHERE stage = '{stage}' AND release IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3, 4"""))
        self.assertTrue(duckdb.sql(f"SELECT 1 FROM '{file}' WHERE appliedTrigger = 'foreground' AND app = '{APP}'").fetchall()[0])

    def test_curves_have_numbers_and_silence(self):
        file = self.place / "curves.parquet"
        run("export", "parquet", "--db", self.source, "--output", file)
        table = pyarrow.parquet.read_table(file)
        table.validate(full=True)
        self.assertEqual([str(table.schema.field(name).type) for name in ("at", "age", "atRisk", "adoption", "adoption_lo", "adoption_hi")],
                         ["timestamp[ms, tz=UTC]", "int64", "int64", "double", "double", "double"])
        wrong = duckdb.sql(f"""SELECT * FROM '{file}' WHERE adoption IS NULL OR adoption < 0 OR adoption_lo > adoption OR adoption_hi < adoption
            OR (adoption_lo IS NULL) <> (adoption_hi IS NULL) OR starts_with(adoption::VARCHAR, '-')""").fetchall()
        self.assertEqual(wrong, [])
        points, silent, releases = duckdb.sql(
            f"SELECT count(*), count(*) FILTER (adoption_lo IS NULL), count(DISTINCT (release, channel)) FROM '{file}'").fetchall()[0]
        self.assertTrue(0 < silent < points and releases > 1, (points, silent, releases))

    def test_more_rows_than_a_group_and_texts_that_differ_in_each(self):
        """Wide numbers of a dictionary, nulls, whatever a text holds, and a group that is not whole."""
        source, texts = self.place / "wide.db", ["é", "日本", 'a"b', "x" * 64, "\\", "'"]
        lines = (json.dumps({"app": APP, "device": f"d{number}", "stage": "failed", "release": "1", "at": 1_740_000_000_000 + number,
                             **({"reason": texts[number % 6]} if number % 2 else {}), "bytes": number}) for number in range(66_000))
        run("import", "-", "--db", source, "--quiet", input="\n".join(lines))
        file = self.export("events", source=source)
        self.assertEqual(pyarrow.parquet.ParquetFile(file).num_row_groups, 2)
        self.assertEqual(duckdb.sql(f"SELECT count(*), count(DISTINCT device), count(reason), sum(bytes) FROM '{file}'").fetchall()[0],
                         (66_000, 66_000, 33_000, sum(range(66_000))))
        for row in pyarrow.parquet.read_table(file).slice(65_400, 300).to_pylist():
            self.assertEqual(row["reason"], texts[row["bytes"] % 6] if row["bytes"] % 2 else None)

    def test_nothing_to_write_and_nowhere_to(self):
        self.assertEqual(self.export("journeys", "--app", "com.example.none", check=False).returncode, 4)
        self.assertEqual(pyarrow.parquet.read_table(self.place / "journeys.parquet").num_rows, 0)
        for target in ("journeys", "parquet"):
            refused = run("export", target, "--db", self.source, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--output FILE.parquet", refused.stderr)


if __name__ == "__main__":
    unittest.main()
