"""The rules for Prometheus: by promtool, and by a Prometheus that scrapes a service of which something is heard."""
import datetime
import itertools
import json
import math
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

from fleet import APP, DASHBOARDS, ROOT, Prometheus, Service, ask, eventually, get, run, simulated
from grafana import boards

RULES = DASHBOARDS / "prometheus"


def rules(file):
    return [rule for group in yaml.safe_load((RULES / file).read_text())["groups"] for rule in group["rules"]]


# Only a service with --reports has them, and one that has reached its warehouse.
ELSEWHERE = {"uptake_report_failures_total", "uptake_report_last_success_timestamp_seconds", "uptake_ship_waiting_events"}


def families(text):
    """Names as `/metrics` declares them."""
    return set(re.findall(r"(?m)^# TYPE (\S+)", text))


def mentioned(expression):
    """The metrics of the service in an expression, histograms by their own name; labels and what was recorded left out."""
    plain = re.sub(r'"[^"]*"|\{\{.*?\}\}|\w+:[\w:]+', "", expression)
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\buptake_\w+", plain)}


def late(events):
    """The histogram of lags, every five minutes, and how many minutes that is."""
    def seconds(time):
        return time / 1000 if isinstance(time, int) else datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
    told = [(seconds(event["received"]), seconds(event["at"])) for event in map(json.loads, events.read_text().splitlines())]
    first, last = min(told)[0], max(told)[0]
    steps = int((last - first) // 300) + 2
    series = []
    for bound in [1, 10, 60, 300, 900, 3600, 21_600, 86_400, 604_800, math.inf]:
        counts = [0] * steps
        for received, at in told:
            counts[int((received - first) // 300) + 1] += received - at <= bound
        label = "+Inf" if bound == math.inf else bound
        series.append({"series": f'uptake_ingest_event_lag_seconds_bucket{{le="{label}"}}',
                       "values": " ".join(map(str, itertools.accumulate(counts)))})
    return series, steps * 5


class Files(unittest.TestCase):
    def promtool(self, *arguments, **more):
        done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, cwd=RULES, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_promtool_accepts_them(self):
        self.promtool("check", "config", "prometheus.yml")
        self.promtool("check", "rules", "recording.yml", "alerts.yml")

    def test_alerts_fire_and_are_silent(self):
        self.promtool("test", "rules", "tests.yml")

    def test_a_fleet_as_fleets_are_is_not_late(self):
        """Phones without a network, and those that send at the next launch: what simulated ones say, counted as the service does."""
        with tempfile.TemporaryDirectory(prefix="uptake-late-", ignore_cleanup_errors=True) as name:
            folder = pathlib.Path(name)
            run("simulate", "--scenario", "healthy", "--devices", 200, "--seed", 1, "--until", "2025-03-20T00:00:00Z",
                "--out", folder / "events.ndjson", "--quiet")
            series, minutes = late(folder / "events.ndjson")
            silent = {"expr": 'ALERTS{alertname="UptakeEventsLate",alertstate="firing"}', "exp_samples": []}
            tests = [{"interval": "5m", "input_series": series,
                      "promql_expr_test": [{**silent, "eval_time": f"{minute}m"} for minute in range(600, minutes, 60)]}]
            text = {"rule_files": [str(RULES / file) for file in ("recording.yml", "alerts.yml")], "evaluation_interval": "5m", "tests": tests}
            (folder / "tests.yml").write_text(yaml.safe_dump(text))
            self.promtool("test", "rules", folder / "tests.yml")

    def test_every_alert_is_tested_both_ways_and_says_what_to_do(self):
        tests = [test["name"] for test in yaml.safe_load((RULES / "tests.yml").read_text())["tests"]]
        for rule in rules("alerts.yml"):
            with self.subTest(rule["alert"]):
                self.assertIn(f"{rule['alert']} fires", tests)
                self.assertIn(f"{rule['alert']} is silent", tests)
                self.assertIn(rule["labels"]["severity"], ("critical", "warning"))
                self.assertTrue(rule["annotations"]["summary"] and rule["annotations"]["description"])
        self.assertEqual(len(tests), 2 * len(rules("alerts.yml")))

    def test_the_page_names_every_alert(self):
        told = re.findall(r"(?m)^\| (Uptake\w+) \| (\w+) \|", (DASHBOARDS / "README.md").read_text())
        self.assertEqual(told, [(rule["alert"], rule["labels"]["severity"]) for rule in rules("alerts.yml")])


class Scraped(unittest.TestCase):
    """One service and one Prometheus for all: both have to be up for a while before there is something to see."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="uptake-scraped-", ignore_cleanup_errors=True)
        cls.database = simulated(pathlib.Path(cls.folder.name))
        run("backup", cls.folder.name + "/copy.db", "--db", cls.database)
        nobody = "http://127.0.0.1:1"
        cls.service = Service(cls.database, f'replicate = "{cls.folder.name}/replica"\nship = "clickhouse://127.0.0.1:1/nowhere"\n' f'[[export]]\ntarget = "grafana"\nto = "{nobody}"\nevery = "1s"\nsecret-env = "S"\n',
                              {"S": "secret"})
        cls.prometheus = Prometheus(cls.service.url.removeprefix("http://"))
        for number in range(3):
            cls.send(number)
            scrapes = f"count_over_time(uptake_ingest_received_events_total[5m]) > {2 * number + 1}"
            assert eventually(lambda: cls.prometheus.query(scrapes)), cls.prometheus.said()
        assert eventually(lambda: cls.prometheus.query("uptake_release_verdict")), cls.service.said()

    @classmethod
    def send(cls, number):
        """An event, the same again, one that is refused, and one of another system that is none."""
        event = {"app": APP, "device": "d", "stage": "applied", "channel": "internal", "release": "9.0.0-dev", "id": f"{number}"}
        cls.service.send(event, {**event, "id": "x", "stage": "instaled"})
        cls.service.send(event)
        get(cls.service.url + "/stats", {"Content-Type": "application/json"}, b'{"device_id":"x"}')

    @classmethod
    def tearDownClass(cls):
        cls.prometheus.close()
        cls.service.close()
        cls.folder.cleanup()

    def test_promtool_accepts_the_metrics(self):
        done = subprocess.run(["promtool", "check", "metrics"], input=self.service.metrics(), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_rule_is_evaluated(self):
        def broken():
            found = [rule for group in self.prometheus.api("rules")["groups"] for rule in group["rules"]]
            return [(rule["name"], rule["health"], rule.get("lastError")) for rule in found if rule["health"] != "ok"]
        self.assertTrue(eventually(lambda: not broken()), broken())
        for rule in rules("recording.yml"):
            with self.subTest(rule["record"]):
                self.assertTrue(eventually(lambda: self.prometheus.query(rule["record"])), rule["record"])

    def test_what_rules_and_boards_name_is_there(self):
        named = {expression for file in ("recording.yml", "alerts.yml") for expression in (rule["expr"] for rule in rules(file))}
        named |= {target["expr"] for board in boards().values() for target in board.prometheus_targets()}
        wanted = {name for expression in named for name in mentioned(expression)} - ELSEWHERE
        self.assertTrue(eventually(lambda: wanted <= families(self.service.metrics())), wanted - families(self.service.metrics()))

    def test_the_reference_names_every_metric(self):
        """docs/metrics.md against a service that exports, ships and is copied; what other settings add is marked there."""
        text = (ROOT / "docs/metrics.md").read_text()
        documented = dict(re.findall(r"(?m)^\| `((?:uptake|process)_\w+)`[^|]*\| (\w+)", text))
        declared = lambda: dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)", self.service.metrics()))
        optional = {name for name in documented if re.match("uptake_(report|upstream|attestation|ship_(waiting|awaiting|unacknowledged))_", name)}
        wanted = {name: kind for name, kind in documented.items() if name not in optional}
        eventually(lambda: wanted == declared())
        self.assertEqual(wanted, declared())

    def test_verdicts_are_those_of_the_program(self):
        asked = lambda: {(row["channel"], row["release"]): row for row in ask(self.database, "verdict")["data"]}
        # Those that the service judged and Prometheus took last: what it was told a moment ago may not be in them yet.
        words = lambda: {(one["metric"]["channel"], one["metric"]["release"]): (one["metric"]["decision"], one["metric"]["condition"])
                         for one in self.prometheus.query("uptake_release_verdict")}
        wanted = lambda: {place: (row["decision"], row["condition"]) for place, row in asked().items()}
        eventually(lambda: words() == wanted())
        self.assertEqual(words(), wanted())
        shares = {(one["metric"]["channel"], one["metric"]["release"]): float(one["value"][1])
                  for one in self.prometheus.query("uptake_release_adoption_ratio")}
        for place, row in asked().items():
            if row["observedShare"] is not None:
                self.assertAlmostEqual(shares[place], row["observedShare"], delta=0.02)

    def test_boards_find_data(self):
        """Every query of every board, its variables filled in; what needs an hour of history, or trouble, may find nothing."""
        may_find_nothing = ("offset 1h", "uptake_sqlite_reader_seconds", "uptake_http_requests_limited_total")
        for board in boards().values():
            for panel, expression in board.prometheus_queries({"app": APP, "channel": ".*", "instance": ".*"}):
                with self.subTest(board=board.title, panel=panel, query=expression):
                    if any(words in expression for words in may_find_nothing):
                        self.prometheus.query(expression)
                    else:
                        self.assertTrue(eventually(lambda: self.prometheus.query(expression)))

    def test_variables_find_values(self):
        for board in boards().values():
            for name, metric, label in board.label_values():
                with self.subTest(board=board.title, variable=name):
                    metric = metric.replace("$app", APP)
                    self.assertTrue(eventually(lambda: self.prometheus.api(f"label/{label}/values", **{"match[]": metric})))

    def test_boards_find_rows(self):
        """The SQL of every board on a copy of the database, as the plugin runs it."""
        copy = self.folder.name + "/rows.db"
        run("backup", copy, "--db", self.database)
        self.assertTrue(eventually(lambda: "export_failed" in self.service.said() or "exported" in self.service.said()))
        run("backup", copy, "--db", self.database, "--force")
        for board in boards().values():
            for panel, columns, rows, times in board.sql_rows(copy, {"app": [APP], "channel": ["production", "beta", "internal"]}):
                with self.subTest(board=board.title, panel=panel):
                    self.assertTrue(rows, panel)
                    self.assertLessEqual(set(times), set(columns))


class Gone(unittest.TestCase):
    def test_the_board_says_no_of_a_service_that_is_gone(self):
        """And not what it said last."""
        [asked] = [query for title, query in boards()["ingest"].prometheus_queries({"instance": ".*"}) if title == "Takes events"]
        with tempfile.TemporaryDirectory(prefix="uptake-gone-", ignore_cleanup_errors=True) as name:
            service = Service(simulated(pathlib.Path(name), devices=10))
            prometheus = Prometheus(service.url.removeprefix("http://"))
            self.addCleanup(prometheus.close)
            try:
                self.assertTrue(eventually(lambda: self.shown(prometheus, asked) == ["1"]), prometheus.said())
            finally:
                service.close()
            self.assertTrue(eventually(lambda: self.shown(prometheus, asked) == ["0"]), prometheus.said())

    def shown(self, prometheus, query):
        return [one["value"][1] for one in prometheus.query(query)]
