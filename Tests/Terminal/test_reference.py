"""Whatever the program has and whatever the documentation names, kind by kind: the same names, neither more nor fewer.

Each kind has a place where the program lists it and a page that names it. A name on the page that the program does not know
is as wrong as one that is missing there."""
import contextlib
import json
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import unittest
import urllib.request

from fleet import PROGRAM, Service, environment, run
from pages import PAGES, ROOT, fenced, name, named, rows, spans, text


def ask(*words):
    """What a run says, whether it does what it is asked or says why not."""
    done = subprocess.run([PROGRAM, *words], env=environment(), capture_output=True, text=True, cwd="/")
    return done.stdout + done.stderr


def listed(said, before):
    """The names of a list that a message ends with."""
    return set(re.findall(r"[\w-]+", said.split(before)[1].split("\n")[0]))


class Known:
    """What the program says of itself."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-reference-", ignore_cleanup_errors=True)
        self.database = f"{self.folder.name}/uptake.db"
        service = Service(self.database)
        try:
            self.openapi = json.load(urllib.request.urlopen(service.url + "/openapi.json"))
            self.metrics = urllib.request.urlopen(service.url + "/metrics").read().decode()
        finally:
            service.stop()
        self.reference = run("__reference")

    def file(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        return str(path)

    def commands(self):
        """Each command with the options that its help lists."""
        every = re.findall(r"^\| \[`([^`]+)`\]", self.reference, re.M)
        return {words: set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", run("help", *words.split()), re.M)) for words in every}

    def endpoints(self):
        return {f"{method.upper()} {path}" for path, methods in self.openapi["paths"].items() for method in methods}

    def event(self, field):
        return set(self.openapi["components"]["schemas"]["Event"]["properties"][field]["enum"])

    def fields(self):
        path = self.file("map.toml", '[event]\nnonsense = "a"\n')
        return listed(ask("import", path, "--map", path, "--dry-run", "--db", self.database), "fields: ")

    def panels(self, scope):
        where = {"site": "a.html", "release": "{release}.html"}[scope]
        page = {"scope": scope, "path": where, "title": "A", "panels": [{"panel": "nonsense"}]}
        self.file(f"{scope}/a.json", json.dumps(page))
        said = ask("report", "--db", self.database, "--out", f"{self.folder.name}/site", "--pages", f"{self.folder.name}/{scope}")
        return listed(said, "it can be: ")

    def columns(self, database):
        """The columns of each view."""
        with contextlib.closing(sqlite3.connect(database)) as file:
            views = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'view'")]
            return {view: {row[1] for row in file.execute(f"PRAGMA table_info({view})")} for view in views}

    def answers(self):
        run("import", self.file("e.ndjson", '{"device":"a","app":"a","stage":"applied","release":"1"}'), "--db", self.database)
        path = f"{self.folder.name}/answers.db"
        run("export", "answers", "--db", self.database, "--output", path)
        return set(self.columns(path))

    def settings(self):
        """Keys of an example of the settings, below their tables."""
        table, found = "", set()
        for line in run("config", "example").splitlines():
            heading, key = re.match(r"#?\[+([\w.]+)\]+$", line), re.match(r"#?([\w-]+) = ", line)
            table = heading[1] + "." if heading else table
            found |= {table + key[1]} if key else set()
        return found

    def variables(self):
        return set(re.findall(r"\bUPTAKE_\w+", run("help", "environment")))

    def close(self):
        self.folder.cleanup()


def endpoints_told():
    """The routes of both tables; methods and beginnings that stand once hold for what follows in the cell."""
    found = set()
    for route, *_ in rows("docs/http.md"):
        method = None
        for words in re.findall(r"`([^`]+)`", route):
            method, path = words.split(" ") if " " in words else (method, words)
            found.add(f"{method} {path}")
    return found


def fields(shape, path=""):
    """Every field of a row, below the one that holds it; shared parts have tables of their own."""
    found = set()
    for key, value in shape.get("properties", {}).items():
        inner = next((each for each in value.get("anyOf", []) if each.get("type") != "null"), value)
        mark = "[]" if inner.get("type") == "array" else ""
        found |= {path + key + mark} | fields(inner.get("items", {}) if mark else inner, path + key + mark + ".")
    return found


def words_of_answers():
    """Every word that a field of some answer may hold."""
    def within(value):
        if isinstance(value, dict):
            yield from value.get("enum", [])
            for each in value.values():
                yield from within(each)
        elif isinstance(value, list):
            for each in value:
                yield from within(each)
    found = {word for file in (ROOT / "docs/schema").glob("*.json") for word in within(json.loads(run("schema", file.stem)))}
    return {word for word in found if word and not word.startswith("uptake.")}


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = Known()
        cls.addClassCleanup(cls.known.close)

    def same(self, known, told, page):
        self.assertTrue(known)
        self.assertEqual(sorted(known - told), [], f"{page} does not name what the program has")
        self.assertEqual(sorted(told - known), [], f"{page} names what the program does not have")

    def test_commands_and_options(self):
        page = text("docs/cli.md")
        parts = dict(re.findall(r"^### ([^\n]+)\n(.*?)(?=^###? |\Z)", page, re.M | re.S))
        shared = set(re.findall(r"^\| `--([\w-]+)", re.search(r"^## Options of every command\n(.*?)^## ", page, re.M | re.S)[1], re.M))
        known = self.known.commands()
        self.same(set(known), set(re.findall(r"^\| \[`([^`]+)`\]", page, re.M)), "docs/cli.md")
        for command, options in known.items():
            with self.subTest(command):
                self.same(options, set(re.findall(r"^\| `--([\w-]+)", parts[command], re.M)) | shared, "docs/cli.md")

    def test_fields_of_answers(self):
        for file in sorted((ROOT / "docs/schema").glob("*.json")):
            with self.subTest(file.stem):
                told = named(row[0] for row in rows("docs/cli.md", f"{file.stem} rows"))
                data = json.loads(run("schema", file.stem))["properties"]["data"]["items"]
                row, *withheld = data.get("anyOf", [data])
                self.same(fields(row), told, "docs/cli.md")
                for shape in withheld:
                    self.same(fields(shape), named(cells[0] for cells in rows("docs/cli.md", "withheld rows")), "docs/cli.md")

    def test_words_of_answers(self):
        events = set().union(*(self.known.event(field) for field in ("stage", "trigger", "outcome")))
        self.same(words_of_answers() - events, named(row[0] for row in rows("docs/words.md", "In answers")) - events, "docs/words.md")

    def test_fields_of_events(self):
        told = named(row[0].split(" (")[0] for row in rows("docs/events.md") if len(row) == 3 and row[1] != "needed")
        self.same(self.known.fields() - {"sentAt", "received"}, told - {"field"}, "docs/events.md")

    def test_words_of_events(self):
        stages = re.search(r"^## Stages\n\n(.*?)\n\n", text("docs/events.md"), re.M | re.S)[1]
        self.same(self.known.event("stage"), named([stages]), "docs/events.md")
        table = {row[0]: row[2] for row in rows("docs/events.md") if len(row) == 3}
        self.same(self.known.event("trigger"), named([table["`trigger` (or `type`)"]]), "docs/events.md")
        self.same(self.known.event("outcome"), named([table["`outcome`"]]), "docs/events.md")

    def test_endpoints(self):
        pages = {"GET /", "GET /mechanisms.html", "GET /release/…"}
        self.same(self.known.endpoints(), endpoints_told() - pages, "docs/http.md")

    def test_metrics(self):
        """Which of them a service shows depends on its settings; all of them stand in the source."""
        told = set(re.findall(r"^\| `((?:uptake|process)_\w+)`", text("docs/metrics.md"), re.M))
        source = "".join(file.read_text() for file in (ROOT / "Sources/Server").rglob("*.swift"))
        self.same(set(re.findall(r'"((?:uptake|process_start)_\w+)"', source)), told, "docs/metrics.md")
        self.assertEqual(set(re.findall(r"^# TYPE (\S+)", self.known.metrics, re.M)) - told, set())

    def test_panels(self):
        told = {"site": set(), "release": set()}
        for row in rows("dashboards/README.md", "Own pages"):
            if row[1] in told:
                told[row[1]] |= named(row[:1])
        site = self.known.panels("site")
        self.same(site, told["site"], "dashboards/README.md")
        self.same(self.known.panels("release") - site, told["release"], "dashboards/README.md")

    def test_boards_and_alerts(self):
        folder = ROOT / "dashboards"
        told = {row[0] for row in rows("dashboards/README.md", "Grafana")} - {"board"}
        self.same({file.name for file in folder.glob("grafana/*.json")}, told, "dashboards/README.md")
        told = {(row[0], row[1]) for row in rows("dashboards/README.md", "Prometheus")} - {("alert", "severity")}
        known = set(re.findall(r"alert: (\w+)\n.*?severity: (\w+)", (folder / "prometheus/alerts.yml").read_text(), re.S))
        self.same(known, told, "dashboards/README.md")

    def test_views_and_columns(self):
        told = {name: named([re.sub(r'\(.*?\)', '', columns)]) for [name], columns in
                ((named(row[:1]), row[-1]) for row in rows("docs/store.md", "Views") if row[0] != "view")}
        known = self.known.columns(self.known.database)
        self.same(set(known), set(told), "docs/store.md")
        for view, columns in known.items():
            self.same(columns, told[view], f"docs/store.md, {view}")
        told = named(row[0] for row in rows("dashboards/README.md", "Answers as rows"))
        self.same(self.known.answers(), told, "dashboards/README.md")

    def test_exit_codes(self):
        known = set(re.findall(r"^ +(\d+)  (.*)$", run("help", "exit-codes"), re.M))
        self.same(known, {tuple(row) for row in rows("docs/README.md", "Exit codes") if row[0] != "code"}, "docs/README.md")

    def test_settings_and_variables(self):
        told = named(row[0] for row in rows("docs/configuration.md"))
        self.same(self.known.settings(), {key for key in told if not key.startswith("UPTAKE_")}, "docs/configuration.md")
        self.same(self.known.variables(), set(re.findall(r"`(UPTAKE_\w+)`", text("docs/configuration.md"))), "docs/configuration.md")

    def test_receivers(self):
        said = re.sub(r"\s+", " ", run("help", "export"))
        known = set(re.search(r"One of: ([\w, -]+)\.? OPTIONS", said)[1].split(", "))
        self.same(known - {"journeys", "answers"}, named(row[0] for row in rows("docs/exports.md", "Receivers")), "docs/exports.md")

    def test_systems_of_other_clients(self):
        said = ask("key", "create", "--for", "nonsense:a", "--app", "a", "--db", self.known.database)
        told = set(re.findall(r"--for ([\w-]+):", "".join(page.read_text() for page in (ROOT / "docs/clients").glob("*.md"))))
        known = listed(said, "dialects are ")
        self.assertEqual(told - known, set(), "docs/clients names what the program does not have")
        self.assertEqual({page for page in known - {"otlp"} | {"opentelemetry"} if not (ROOT / f"docs/clients/{page}.md").exists()}, set())


def mentioned(words):
    """Each run of the program that some text names: its words up to the end of the statement."""
    words = re.sub(r"\\\n\s*", " ", words)
    for line in re.findall(r"(?:^|[\s(`$&|;])uptake +([^\n|;&)#<>`]+)", words):
        words = line.replace('"', " ").replace("'", " ").split()
        # After `sudo -u uptake` the program comes next.
        yield words[1:] if words[:1] == ["uptake"] else words


class Mentions(unittest.TestCase):
    """Wherever a page names a command or an option of it, in prose, blocks and examples, the program has it."""

    @classmethod
    def setUpClass(cls):
        known = Known()
        cls.addClassCleanup(known.close)
        cls.commands = {**known.commands(), "completion": {"help"}}
        cls.variables = known.variables()
        cls.options = set().union(*cls.commands.values())

    def unknown(self, words):
        if not words or not re.fullmatch(r"[a-z][a-z-]*", words[0]):
            return None
        pair, first = " ".join(words[:2]), words[0]
        command = pair if pair in self.commands else first
        if command not in self.commands and not any(each.startswith(first + " ") for each in self.commands) and first != "help":
            return f"no command {command}"
        permitted = self.commands.get(command, self.options)
        for word in words:
            if word.startswith("--") and len(word) > 2 and word[2:].split("=")[0].rstrip(".,:…") not in permitted | {"version"}:
                return f"{command} has no {word}"
        return None

    def test_every_command_that_is_named(self):
        count = 0
        for page in PAGES:
            for block in [body for _, body in fenced(page)] + spans(page):
                for words in mentioned(block):
                    count += 1
                    with self.subTest(name(page), command=" ".join(words)):
                        self.assertIsNone(self.unknown(words))
        self.assertGreater(count, 300)

    def test_a_command_or_an_option_that_there_is_not_is_found(self):
        self.assertEqual(self.unknown("reports --db a".split()), "no command reports")
        self.assertEqual(self.unknown("reach 2.0.0 --at 3h --bye x".split()), "reach has no --at")
        self.assertIsNone(self.unknown("reach 2.0.0 --by=platform".split()))

    def test_every_option_that_is_named_by_itself(self):
        for page in PAGES:
            if name(page) == "Tests/Oracle/README.md" or page.parent.name == "bench":
                continue
            for span in spans(page):
                for option in re.findall(r"^--([a-z][\w-]*)", span):
                    if option == "install-links":  # of npm
                        continue
                    with self.subTest(name(page), option=option):
                        self.assertIn(option, self.options)

    def test_every_variable_that_is_named(self):
        """Those of the program, and those that scripts and recipes of this repository read."""
        read = {word for folder in ("scripts", "docs/recipes", "dashboards/notebooks", "Tests", "packaging", "clients")
                for file in (ROOT / folder).rglob("*") if file.is_file() and file.suffix not in (".gz", ".db", ".png")
                for word in re.findall(rb"\bUPTAKE_[A-Z_]+", file.read_bytes())}
        known = self.variables | {word.decode() for word in read}
        for page in PAGES:
            with self.subTest(name(page)):
                self.assertEqual(set(re.findall(r"\bUPTAKE_[A-Z_]+\b", page.read_text())) - known, set())


if __name__ == "__main__":
    unittest.main()
