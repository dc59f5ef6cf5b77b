"""Names are what clients made them: wherever one is shown it is text, and does nothing to whoever looks at it."""
import csv
import io
import itertools
import json
import pathlib
import re
import subprocess
import unicodedata
import unittest
import urllib.parse

from service import PROGRAM, Service, eventually, scratch

NOW = "2025-03-20T00:00:00Z"
START = 1_740_787_200_000
#: For terminals, browsers, Markdown, spreadsheets, paths, shells and eyes.
NAMES = [
    "1\x1b[2J\x1b]0;owned\x07", "2\x9b31m", "3\u202egnp.exe", "4\u2066a\u2069", "5\u200bzero", "6\nline", "7\rback", "8\ttab", "9\u2028sep",
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[click](javascript:alert(1))", "![x](http://evil.example/x)",
    "a|b", "`code`", "**bold**", "&lt;b&gt;", "=1+1", "+1", "-1", "@sum", "\t=1", "\uff1d1+1", "../../etc/passwd", "..", ".", "a/../b", "a\\..\\b",
    "%2e%2e%2f", "$(touch x)", "'; DROP TABLE event;--", "\"quoted\"", "{{7*7}}", "\u00ad\ufeffbom", "\U000e0041tag", "e\u0301|", "x" * 128,
    "CON", "index", "-rf", "~", "\u2800", "\x7f",
]
QUESTIONS = ["releases", "push", "wakeups", "channels", "verdict", *(f"{name} RELEASE" for name in (
    "adoption", "reach", "time-to-update", "mechanisms", "failures", "forecast", "funnel", "verdict")), "compare RELEASE OTHER"]
FORMATS = ["table", "json", "ndjson", "csv", "tsv", "md", "plot"]


def events():
    """Two releases of hostile names on channels of hostile names, and reasons, versions and platforms."""
    number = 0
    for place, name in enumerate(NAMES):
        short = name[:60]
        for device in range(6):
            number += 1
            common = {"device": f"{place}-{device}", "app": "a", "channel": short, "platform": short[:30], "trigger": "silentPush",
                      "osVersion": short[:20], "appVersion": short[:20], "sdkVersion": short[:20], "network": short[:20], "arm": short[:20]}
            at = START + place * 3_600_000 + device * 60_000
            yield {**common, "stage": "check", "release": "old", "at": at, "id": f"{number}-1"}
            yield {**common, "stage": "ready", "release": name, "at": at + 60_000, "id": f"{number}-2", "from": short}
            yield {**common, "stage": "applied", "release": name, "at": at + 120_000, "id": f"{number}-3"}
            last = {"stage": "failed", "reason": name} if device % 2 else {"stage": "rolledBack"}
            yield {**common, **last, "release": name, "at": at + 180_000, "id": f"{number}-4"}


def is_harmful(character):
    """What a screen does not show, but joiners and what emoji choose their look by."""
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\u200c\u200d"


def harmful(text, structure="\n"):
    return sorted({hex(ord(one)) for one in text if is_harmful(one) and one not in structure})


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch()
        cls.database = cls.folder / "uptake.db"
        file = cls.folder / "events.ndjson"
        file.write_text("\n".join(map(json.dumps, events())))
        subprocess.run([PROGRAM, "import", "--db", cls.database, "--quiet", file], check=True, capture_output=True)

    def run_program(self, *words):
        done = subprocess.run([PROGRAM, words[0], f"--db={self.database}", f"--now={NOW}", *words[1:]], capture_output=True)
        self.assertIn(done.returncode, (0, 3, 4), (words, done.stderr[-400:]))
        return done.stdout.decode(), done.stderr.decode()

    def asked(self):
        for question in QUESTIONS:
            if "RELEASE" not in question:
                yield [question, "--by=channel"] if question not in ("releases", "verdict", "channels") else [question]
                continue
            for name in NAMES:
                words = question.replace("OTHER", "old").split()
                yield [word for word in words if word != "RELEASE"][:1] + ["--"] + [
                    name if word == "RELEASE" else word for word in words[1:]]

    def check(self, form, words, out, errors):
        structure = {"csv": "\r\n", "tsv": "\t\n"}.get(form, "\n")
        self.assertEqual(harmful(out, structure), [], (form, words))
        self.assertEqual(harmful(errors), [], (form, words))
        if form == "md":
            # What is indented is code.
            text = "\n".join(line for line in out.splitlines() if not line.startswith("    "))
            self.assertNotIn("<", text, words)
            self.assertIsNone(re.search(r"(?<!\\)\]\(", text), words)
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in out.splitlines() if line.startswith("|")}
            self.assertLessEqual(len(widths), 1, words)
        if form == "csv":
            rows = list(csv.reader(io.StringIO(out, newline="")))
            self.assertEqual(len({len(row) for row in rows}), 1, words)
            for field in (field for row in rows for field in row):
                self.assertFalse(field[:1] in tuple("=@\t\r\uff1d") or field[:1] in tuple("+-") and not is_number(field), (words, field))
        if form == "json":
            json.loads(out)

    def test_of_every_question_in_every_form(self):
        for form in FORMATS:
            for words in self.asked() if form in ("md", "json") else list(self.asked())[::7]:
                self.check(form, words, *self.run_program(words[0], f"--format={form}", *words[1:]))

    def test_of_failures_in_markdown(self):
        for name in NAMES:
            self.check("md", name, *self.run_program("failures", "--format=md", "--", name))

    def test_over_http(self):
        with Service(directory=self.copied()) as service:
            for question in ["releases", "push", "failures", "adoption", "compare", "nothing"]:
                for name in NAMES:
                    query = urllib.parse.urlencode({"release": name, "app": "a", "now": NOW, "baseline": name, "channel": name},
                                                   quote_via=urllib.parse.quote)
                    answer = service.ask("GET", f"/v1/answers/{question}?{query}")
                    self.assertEqual(harmful(answer.body.decode()), [], (question, name))
                    json.loads(answer.body)
            self.assertTrue(eventually(lambda: b"uptake_release_verdict{" in service.ask("GET", "/metrics").body))
            self.assertEqual(harmful(service.ask("GET", "/metrics").body.decode()), [])
            for name in NAMES:
                path = urllib.parse.quote(name, safe="")
                for method, target, body in [
                        ("GET", f"/v1/{path}", b""), ("PUT", f"/v1/releases/{path}", b'{"app":"a"}'),
                        ("PUT", "/v1/releases/1", json.dumps({"app": "a", "channel": name * 20, "x" + name: 1}).encode()),
                        ("GET", "/v1/releases?app=a", b""), ("GET", f"/v1/releases?app={path}", b""),
                        ("POST", "/v1/events", json.dumps({"device": "d", "stage": name, "app": "a", "at": name}).encode()),
                        ("GET", f"/v1/devices/1-1/breadcrumbs?app=a&now={NOW}&release={path}", b"")]:
                    answer = service.ask(method, target, body)
                    self.assertEqual(harmful(answer.body.decode()), [], (method, target))

    def copied(self):
        directory = scratch()
        subprocess.run([PROGRAM, "backup", directory / "uptake.db", "--db", self.database], check=True, capture_output=True)
        return directory

    def test_in_files_for_other_programs(self):
        # Of channels that nobody registered a release on only the first are told of, unless they are named.
        named = "--channel=" + ",".join(name[:60] for name in NAMES)
        for target, more in itertools.product(("csv", "openmetrics", "crashlytics", "json"), ([], [named])):
            command = [PROGRAM, "export", target, f"--db={self.database}", f"--now={NOW}", "--app=a", *more]
            done = subprocess.run(command, capture_output=True)
            if done.returncode == 2:
                continue
            text = done.stdout.decode()
            self.assertEqual(harmful(text, "\r\n"), [], target)
            if target == "csv":
                self.check("csv", target, text, "")

    def test_of_pages(self):
        site = self.folder / "site"
        self.run_program("report", "--out", str(site), "--app=a")
        files = [path for path in site.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 3)
        for path in files:
            relative = str(path.relative_to(site))
            self.assertNotIn("..", relative)
            self.assertTrue(re.fullmatch(r"[A-Za-z0-9._/%~+-]+", relative), relative)
            text = path.read_text()
            self.assertEqual(harmful(text, "\t\n"), [], relative)
            if path.suffix == ".html":
                self.assertNotIn("<script>alert", text)
                self.assertNotIn("<img src=x", text)


def is_number(field):
    try:
        float(field)
        return True
    except ValueError:
        return False


if __name__ == "__main__":
    unittest.main()
