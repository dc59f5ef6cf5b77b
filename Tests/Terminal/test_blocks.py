"""Every block of code on every page is run or read by some test: a block that nobody runs is a failure here.

`RUNNERS` says for each kind of block who runs it, and this file reads what needs no more than to be read."""
import contextlib
import fnmatch
import json
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import unittest
import urllib.request
import xml.etree.ElementTree

from fleet import PROGRAM, Service, environment, run
from pages import PAGES, ROOT, fenced, name

#: Page, words behind the fence, the test that runs such blocks. The first row that fits a block holds.
RUNNERS = [
    ("README.md", "sh", "ReadmeTests.whatIsPastedWorksAndAnswers"),
    ("README.md", "sh build", "Blocks.test_builds_are_those_of_the_makefile"),
    ("docs/tutorial.md", "sh", "Pasted.test_the_tutorial"),
    ("docs/case-study.md", "sh", "CaseStudy.test_figures_are_what_the_program_says"),
    ("docs/guides/move-to-clickhouse.md", "sh", "Guide.test_the_guide_moves_a_fleet"),
    ("docs/guides/*.md", "sh", "Pasted.test_the_guides"),
    ("docs/guides/run-in-production.md", "nginx", "Proxies.test_nginx"),
    ("docs/guides/run-in-production.md", "caddy", "Proxies.test_caddy"),
    ("docs/configuration.md", "sh", "Blocks.test_settings"),
    ("docs/censoring.md", "sh", "Pasted.test_five_phones"),
    ("docs/maps.md", "toml", "ShippedMapTests"),
    ("docs/maps.md", "sh", "Mentions.test_every_command_that_is_named"),
    ("docs/*.md", "toml", "Blocks.test_settings"),
    ("docs/cli.md", "", "Mentions.test_every_command_that_is_named"),
    ("docs/operations.md", "sh", "Mentions.test_every_command_that_is_named"),
    ("docs/exports.md", "sh", "Mentions.test_every_command_that_is_named"),
    ("docs/http.md", "http", "Blocks.test_requests"),
    ("docs/http.md", "sh", "Blocks.test_a_step_more_on_condition"),
    ("docs/events.md", "json", "Blocks.test_json"),
    ("docs/assistants.md", "json", "Blocks.test_json"),
    ("docs/recipes/README.md", "yaml", "test_action"),
    ("docs/recipes/README.md", "sh", "test_wait"),
    ("dashboards/README.md", "json", "Blocks.test_own_pages"),
    ("dashboards/README.md", "sh", "Blocks.test_files_that_commands_name"),
    ("packaging/README.md", "sh", "Blocks.test_files_that_commands_name"),
    ("docs/clients/own-*.md", "ts*", "OwnClients.test_typescript_compiles_however_modules_are_found"),
    ("docs/clients/release-health.md", "ts", "OwnClients.test_typescript_compiles_however_modules_are_found"),
    ("docs/clients/own-swift.md", "swift *", "OwnClients.test_swift"),
    ("docs/clients/own-kotlin.md", "kotlin run", "OwnClients.test_kotlin"),
    ("docs/clients/own-kotlin.md", "xml", "Blocks.test_xml"),
    ("docs/clients/expo.md", "nginx", "Blocks.test_log_format"),
    ("docs/clients/push.md", "sql", "Blocks.test_sql"),
    ("docs/clients/push.md", "sh", "Shell.test_what_is_posted_is_taken"),
    ("docs/clients/*.md", "sh", "Mentions.test_every_command_that_is_named"),
    # What these call is the vendor's: their form is held.
    ("docs/clients/*.md", "js", "Blocks.test_javascript"),
    ("docs/clients/capgo.md", "ts", "Blocks.test_javascript"),
]
#: What cannot be run where tests run, and why.
NOT_RUN = [
    ("docs/clients/own-dart.md", "dart", "Debian has no compiler of Dart"),
    ("docs/clients/own-dart.md", "yaml", "Debian has no compiler of Dart"),
    ("docs/clients/own-kotlin.md", "kotlin", "needs Android's SDK"),
    ("docs/exports.md", "sql", "needs an account of BigQuery"),
]
#: Pictures in letters, and what a program printed: nothing to paste.
SHOWN = "text"


def blocks(page, words):
    return [body for found, body in fenced(ROOT / page) if fnmatch.fnmatchcase(found, words)]


def fits(rows, page, words):
    return next((row for row in rows if fnmatch.fnmatchcase(page, row[0]) and fnmatch.fnmatchcase(words, row[1])), None)


class Accounts(unittest.TestCase):
    every = [(name(page), words) for page in PAGES for words, _ in fenced(page)]

    def test_every_block_has_somebody_who_runs_it(self):
        unclaimed = {(page, words) for page, words in self.every
                     if words != SHOWN and not fits(RUNNERS, page, words) and not fits(NOT_RUN, page, words)}
        self.assertEqual(unclaimed, set(), "name the test that runs it in RUNNERS; what is not to be pasted is ```text")

    def test_every_row_has_a_block(self):
        claimed = [fits(RUNNERS, page, words) or fits(NOT_RUN, page, words) for page, words in self.every]
        self.assertEqual([row for row in RUNNERS + NOT_RUN if row not in claimed], [])

    def test_every_runner_exists(self):
        source = "\n".join(file.read_text() for file in (ROOT / "Tests").rglob("*") if file.suffix in (".py", ".swift"))
        for *_, runner in RUNNERS:
            for part in runner.split("."):
                with self.subTest(runner):
                    found = re.search(rf"\b(?:class|struct|func|def) {part}\b", source) or list((ROOT / "Tests").rglob(f"{part}.py"))
                    self.assertTrue(found)

    def test_a_new_block_is_found(self):
        self.assertIsNone(fits(RUNNERS, "docs/store.md", "sh"))
        self.assertIsNone(fits(RUNNERS, "docs/guides/measure-a-rollout.md", "python"))


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="uptake-blocks-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, path, content):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(content)
        return self.folder / path

    def test_settings(self):
        for page in [page for page in PAGES if name(page) != "docs/maps.md"]:
            for body in blocks(page, "toml"):
                with self.subTest(name(page)):
                    # Secrets lie elsewhere where tests run.
                    for target, secret in (("slack", "https://hooks.slack.com/services/T/B/x"), ("", "https://public@example.com/1")):
                        path = self.file("secret-" + target, secret)
                        body = re.sub(rf'(target = "{target}[^"]*"(?:\n[^\[]*?)?)secret-file = "/etc[^"]*"', rf'\1secret-file = "{path}"', body)
                    run("config", "check", "--config", str(self.file("uptake.toml", body)))
        [body] = blocks("docs/configuration.md", "sh")
        done = subprocess.run(["bash", "-ec", body.replace("uptake config", '"$PROGRAM" config')], cwd=self.folder, capture_output=True,
                              text=True, env=environment(PROGRAM=PROGRAM))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("db", done.stdout)

    def test_json(self):
        for page in ("docs/events.md", "docs/assistants.md"):
            for body in blocks(page, "json"):
                with self.subTest(page):
                    json.loads(body)
        [body] = blocks("docs/assistants.md", "json")
        server = json.loads(body)["mcpServers"]["uptake"]
        self.assertEqual(server["command"], "uptake")
        command, *options = server["args"]
        told = run("help", command)
        self.assertEqual([word for word in options if word.startswith("--") and f"{word} " not in told], [])

    def test_requests(self):
        service = Service(f"{self.folder}/uptake.db")
        self.addCleanup(service.stop)
        for body in blocks("docs/http.md", "http"):
            line, document = body.split("\n", 1)
            method, path = line.split(" ")
            request = urllib.request.Request(service.url + path, document.encode(), {"Content-Type": "application/json"}, method=method)
            with self.subTest(line), urllib.request.urlopen(request) as answer:
                self.assertEqual(answer.status, 200)
                self.assertIn("2.0.0", urllib.request.urlopen(service.url + "/v1/releases").read().decode())

    def test_a_step_more_on_condition(self):
        """Without a key, so that the app is named. What was halted is not opened, and what another changed meanwhile not overwritten."""
        service = Service(f"{self.folder}/uptake.db")
        self.addCleanup(service.stop)
        address = service.url + "/v1/releases/2.0.0"
        def put(*percents):
            steps = [{"at": f"2025-03-0{day}T00:00:00Z", "percent": percent} for day, percent in enumerate(percents, 1)]
            body = json.dumps({"app": "a", "publishedAt": "2025-03-01T00:00:00Z", "rollout": steps}).encode()
            urllib.request.urlopen(urllib.request.Request(address, body, {"Content-Type": "application/json"}, method="PUT"))
        def registered():
            [one] = json.load(urllib.request.urlopen(service.url + "/v1/releases"))["data"]
            return [step["percent"] for step in one["rollout"]]
        [body] = blocks("docs/http.md", "sh")
        body = body.replace("https://uptake.example.com/v1/releases/2.0.0", address).replace("?channel", "?app=a&channel")
        read, write = body.rsplit("curl", 1)
        def step(text):
            return subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=self.folder, capture_output=True, text=True,
                                  env=environment(KEY="k"))
        put(10)
        done = step(body)
        self.assertEqual((done.returncode, registered()), (0, [10, 50]), done.stderr)
        done = step(read + "\ncat wider.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        put(10, 50, 0)
        done = step(f"release={address}\ncurl{write}")
        self.assertEqual((done.returncode, registered()), (22, [10, 50, 0]), done.stdout)
        self.assertIn("halted (0% at 2025-03-03 00:00 UTC, the last of 3) now", done.stdout)
        done = step(body)
        self.assertEqual((done.returncode != 0, registered()), (True, [10, 50, 0]), done.stdout)
        self.assertIn("halted", done.stderr)

    def test_own_pages(self):
        [body] = blocks("dashboards/README.md", "json")
        event = '{"device":"a","app":"a","stage":"applied","release":"2.0.0"}'
        database = str(self.folder / "uptake.db")
        run("import", str(self.file("e.ndjson", event)), "--db", database)
        self.file("pages/short.json", body)
        run("report", "--db", database, "--out", str(self.folder / "site"), "--pages", str(self.folder / "pages"))
        self.assertIn("2.0.0 at a glance", (self.folder / "site/short/2.0.0.html").read_text())

    def test_files_that_commands_name(self):
        """What needs programs of others is held to files that there are; the program's own commands are held to its help."""
        for page in ("dashboards/README.md", "packaging/README.md"):
            for body in blocks(page, "sh"):
                for path in re.findall(r"(?<![\w./-])((?:dashboards|packaging)/[\w./*-]+)", body):
                    with self.subTest(page, path=path):
                        if not path.endswith("uptake.db"):
                            self.assertTrue(list(ROOT.glob(path)))
                for target in re.findall(r"^make (\w+)", body, re.M):
                    with self.subTest(page, target=target):
                        self.assertIn(f"\n{target}:", (ROOT / "Makefile").read_text())

    def test_builds_are_those_of_the_makefile(self):
        [body] = blocks("README.md", "sh build")
        named = re.findall(r"^make (\w+)", body, re.M)
        self.assertTrue(named)
        for target in named:
            with self.subTest(target):
                subprocess.run(["make", "--dry-run", "--no-print-directory", target], cwd=ROOT, check=True, capture_output=True)

    def test_xml(self):
        for body in blocks("docs/clients/own-kotlin.md", "xml"):
            xml.etree.ElementTree.fromstring(f'<a xmlns:android="http://schemas.android.com/apk/res/android">{body}</a>')

    def test_log_format(self):
        """What nginx writes by it is read by `--format expo-log`, with every value in its place."""
        [body] = blocks("docs/clients/expo.md", "nginx")
        line = "".join(re.findall(r"'([^']*)'", body))
        values = {"time_iso8601": "2025-03-01T08:00:00+00:00", "http_eas_client_id": "e1", "http_expo_current_update_id": "u2",
                  "http_expo_embedded_update_id": "u1", "http_expo_platform": "ios", "http_expo_runtime_version": "7",
                  "http_expo_channel_name": "beta"}
        line = re.sub(r"\$(\w+)", lambda found: values.get(found[1], "-"), line)
        database = str(self.folder / "uptake.db")
        run("import", str(self.file("access.log", line + "\n")), "--format", "expo-log", "--app", "a", "--db", database)
        with contextlib.closing(sqlite3.connect(database)) as file:
            told = file.execute("SELECT at, stage, release, channel, platform, appVersion FROM v1_event").fetchall()
        self.assertEqual(told, [("2025-03-01T08:00:00.000Z", "check", "u2", "beta", "ios", "7")])

    def test_sql(self):
        """Why a gateway refused pushes, by platform."""
        [body] = blocks("docs/clients/push.md", "sql")
        push = {"app": "a", "stage": "pushSent", "release": "2.0", "platform": "ios"}
        lines = [push | {"device": f"d{number}", "id": f"p{number}", "outcome": "rejected" if number < 3 else "accepted"}
                 | ({"reason": "ExpiredProviderToken"} if number < 3 else {}) for number in range(5)]
        database = str(self.folder / "uptake.db")
        run("import", str(self.file("pushes.ndjson", "\n".join(map(json.dumps, lines)))), "--db", database)
        with contextlib.closing(sqlite3.connect(database)) as file:
            self.assertEqual(file.execute(body).fetchall(), [("ios", "ExpiredProviderToken", 3)])

    def test_javascript(self):
        pages = [page for page in PAGES if page.parent.name == "clients" and (blocks(page, "js") or page.name == "capgo.md")]
        self.assertGreater(len(pages), 2)
        for page in pages:
            for body in blocks(page, "[jt]s"):
                text = f"({{ {body} }})" if page.name == "capgo.md" else body
                with self.subTest(name(page)):
                    done = subprocess.run(["node", "--check", self.file("block.js", text)], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
