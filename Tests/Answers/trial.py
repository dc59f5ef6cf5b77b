"""One fleet in a database and behind a service, and what is wrong with the answers about it."""
import http.client
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from commands import Broken, complaint, questions, rfc3339
from fleets import Fleet
from laws import Laws

PROGRAM = os.environ.get("UPTAKE_PROGRAM", "")
ANSWERED, USAGE = (0, 3, 4), 2
# Names that the fleet does not have are refused; those that it has are not.
UNKNOWN = {"unknown_release", "unknown_channel", "unknown_platform", "unknown_app", "which_app"}
LAWS, QUESTIONS = Laws(), []
# One in so many of those that are asked over HTTP alone is asked on the command line as well.
SHOWN = 200 if os.environ.get("UPTAKE_SOAK") == "1" else 15


def run(*words, text="", **environment):
    return subprocess.run(
        [PROGRAM, *map(str, words)], input=text.encode(), capture_output=True, cwd="/", timeout=120,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment})


def words(question, options, arguments):
    """Names that begin with a dash stay names."""
    return [question.name, *(f"--{name}" if value is None else f"--{name}={value}" for name, value in options), "--", *arguments]


def path(asked):
    """The same over HTTP."""
    question, options, arguments = asked
    fields = [*zip((name.lower() for name in question.arguments), arguments), *((name, value or "") for name, value in options)]
    return f"/v1/answers/{question.name}?" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)


def is_gate(asked):
    """Asked on the command line alone."""
    return any(name in ("require", "max-drop") for name, _ in asked[1])


class Trial:
    def __init__(self, seed, count, served=0):
        """`count` questions on the command line and over HTTP, `served` more over HTTP, of which some on the command line."""
        self.seed, self.pick = seed, random.Random(f"circumstances {seed}")
        self.fleet, self.folder = Fleet(seed), pathlib.Path(tempfile.mkdtemp(prefix="uptake-answers-"))
        self.database = self.folder / "uptake.db"
        QUESTIONS[:] = QUESTIONS or questions(PROGRAM)
        ask = random.Random(f"questions {seed}")
        # Of more questions the first are the same.
        self.asked = [(question, *question.combination(self.fleet, ask)) for question in (ask.choice(QUESTIONS) for _ in range(count))]
        ask = random.Random(f"more questions {seed}")
        self.more = [made for made in ((question, *question.combination(self.fleet, ask)) for question in (ask.choice(QUESTIONS) for _ in range(served)))
                     if not is_gate(made)]

    # What is stored, and how.

    def store(self, events):
        return "\n".join(json.dumps(event) for event in events)

    def publish(self):
        if not self.fleet.publications:
            return
        file = self.folder / "publications.json"
        file.write_text(json.dumps([{**made, "publishedAt": rfc3339(made["publishedAt"]), "rollout": [{**step, "at": rfc3339(step["at"])} for step in made["rollout"]]}
                                    for made in self.fleet.publications]))
        self.hold(run("release", "publish", "--from", file, "--db", self.database), "release publish")

    def hold(self, done, what):
        if done.returncode != 0:
            raise Broken(f"{what}: exit {done.returncode}, {complaint(done.stderr.decode())}")

    def start(self):
        self.service = subprocess.Popen(
            [PROGRAM, "serve", "--db", self.database, "--listen", "127.0.0.1:0", "--fold-after", "7d"], cwd="/", stdout=subprocess.PIPE,
            stderr=open(self.folder / "log", "ab"), env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
        self.address = "http://127.0.0.1:" + self.service.stdout.readline().decode().split(",")[0].rsplit(":", 1)[1]

    def ask(self, path, body=None):
        try:
            with urllib.request.urlopen(self.address + path, body, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            self.service.kill()
            raise Broken(f"the service is gone at {path}: {error}; {complaint((self.folder / 'log').read_text())}") from None

    # What is asked, and what is wrong.

    def command(self, asked):
        return run(*words(*asked), UPTAKE_DB=str(self.database), UPTAKE_FORMAT="json", UPTAKE_ERROR_FORMAT="json")

    def wrong(self, asked):
        """What is wrong with one answer on the command line and over HTTP."""
        done = self.command(asked)
        text = done.stdout.decode()
        if done.returncode < 0 or done.returncode > 6:
            return f"ended by signal or trap ({done.returncode}): {complaint(done.stderr.decode())}"
        if done.returncode == USAGE and not self.may_be_unknown(asked, done.stderr.decode()):
            return f"refused as wrong: {complaint(done.stderr.decode())}"
        if done.returncode not in (*ANSWERED, USAGE):
            return f"exit {done.returncode}: {complaint(done.stderr.decode())}"
        if text:
            for broken in LAWS.broken(asked[0].name, text):
                return broken
        elif done.returncode == 0:
            return "an answer of nothing"
        if not is_gate(asked):
            return self.wrong_over_http(asked, done.returncode, text)
        return None

    def wrong_over_http(self, asked, code, text):
        status, body = self.ask(path(asked))
        if text:
            return None if (status, body) == (200, text) else f"another answer over HTTP: {status} {first_difference(text, body)}"
        expected = {USAGE: 400}.get(code, 404)
        return None if status == expected else f"exit {code} without an answer is {status} over HTTP: {body[:300]}"

    def wrong_served(self, asked, status, body):
        """What is wrong with one answer over HTTP, by itself."""
        if status == 200:
            return next(iter(LAWS.broken(asked[0].name, body)), None)
        # Why it is refused, the command line says more exactly.
        done = self.command(asked)
        if status == 400 and done.returncode == USAGE and self.may_be_unknown(asked, done.stderr.decode()):
            return None
        # Of an empty database there is nothing to say, and so it is of a release of which nothing is known yet.
        if status == 404 and done.returncode in ANSWERED and not done.stdout:
            return None
        return f"{status} over HTTP, exit {done.returncode} on the command line: {body[:300]}"

    def many(self):
        """All of `more` over one connection, with what is wrong; answers what was answered."""
        found = []
        for place, (asked, (status, body)) in enumerate(zip(self.more, self.ask_all(map(path, self.more)))):
            wrong = self.wrong_served(asked, status, body)
            if not wrong and status == 200 and place % SHOWN == self.seed % SHOWN:
                shown = self.command(asked).stdout.decode()
                wrong = None if shown == body else f"another answer on the command line: {first_difference(body, shown)}"
            if wrong:
                raise Broken(f"{path(asked)}, as {self.line(asked)}: {wrong}")
            found.append((status, body))
        return found

    def ask_all(self, paths):
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=60)
        try:
            for target in paths:
                try:
                    connection.request("GET", target)
                    answer = connection.getresponse()
                    yield answer.status, answer.read().decode()
                except (OSError, http.client.HTTPException) as error:
                    self.service.kill()
                    raise Broken(f"the service is gone at {target}: {error}; {complaint((self.folder / 'log').read_text())}") from None
        finally:
            connection.close()

    def may_be_unknown(self, asked, errors):
        try:
            code = json.loads(errors.strip().splitlines()[-1])["code"]
        except (ValueError, KeyError, IndexError):
            return False
        if code == "same_release":
            return len(set(asked[2])) == 1
        if code == "bad_period":
            period = dict(asked[1])
            return "since" in period and "until" in period and period["until"] <= period["since"]
        return code in UNKNOWN and (len(self.fleet.apps) > 1 or not self.knows(asked, code))

    def knows(self, asked, code):
        if code == "unknown_release":
            known = {event.get(name) for event in self.fleet.events for name in ("release", "from")} | {made["release"] for made in self.fleet.publications}
            chosen = asked[2] + [value for name, value in asked[1] if name == "baseline" and value not in ("auto", "none")]
            return set(chosen) <= known
        name = {"unknown_channel": "channel", "unknown_platform": "platform"}.get(code, "app")
        return all(set(value.split(",")) <= set(self.fleet.kept[name]) for option, value in asked[1] if option == name)

    def smallest(self, asked):
        """With as few options as still show it."""
        question, options, arguments = asked
        for option in list(options):
            fewer = [other for other in options if other is not option]
            if option[0] not in ("now", "app") and self.wrong((question, fewer, arguments)):
                options = fewer
        return question, options, arguments

    def line(self, asked):
        return f"UPTAKE_DB={self.database} {shlex.join(['uptake', *words(*asked)])}"

    def pages(self):
        """Pages and files for other programs, which ask by themselves."""
        now = rfc3339(self.pick.choice(self.fleet.nows))
        app, made = ["--app", self.fleet.kept["app"][0] if self.fleet.kept["app"] else self.fleet.apps[0]], {}
        for target in ("json", "csv", "openmetrics", "crashlytics"):
            done = run("export", target, "--db", self.database, "--now", now, *app)
            if done.returncode not in (0, 4, 2):
                raise Broken(f"export {target} --now {now}: exit {done.returncode}, {complaint(done.stderr.decode())}")
            made[target] = done.stdout
        site = self.folder / "site"
        shutil.rmtree(site, ignore_errors=True)
        done = run("report", "--db", self.database, "--now", now, "--out", site, *app)
        if done.returncode not in (0, 4, 2):
            raise Broken(f"report --now {now} {shlex.join(app)}: exit {done.returncode}, {complaint(done.stderr.decode())}")
        return {**made, **{str(file.relative_to(site)): file.read_bytes() for file in sorted(site.rglob("*")) if file.is_file()}}

    def forms(self, asked, code):
        """The other forms end as the JSON does, and show something."""
        form = self.pick.choice(["table", "csv", "tsv", "md", "ndjson", "plot"])
        done = run(*words(*asked), UPTAKE_DB=str(self.database), UPTAKE_FORMAT=form)
        if done.returncode != code:
            raise Broken(f"{self.line(asked)} as {form}: exit {done.returncode}, as JSON {code}: {complaint(done.stderr.decode())}")

    def check(self):
        """Raises what is broken; answers how many questions were asked."""
        try:
            self.live()
        except Broken as broken:
            raise Broken(f"seed {self.seed} ({len(self.fleet.devices)} devices, {len(self.fleet.events)} events, in {self.folder}): {broken}") from None
        shutil.rmtree(self.folder, ignore_errors=True)
        return len(self.asked) + len(self.more)

    def live(self):
        events, early = self.fleet.events, self.pick.choice([0, 0.5, 1])
        folded = events[:int(len(events) * early)]
        if self.pick.random() < 0.5:
            self.publish()
        if folded:
            self.hold(run("import", "-", "--db", self.database, "--strict", text=self.store(folded)), "import")
        self.start()
        try:
            self.served(events[len(folded):])
        finally:
            if self.service.poll() is None:
                self.service.kill()
            self.service.wait()

    def served(self, events):
        for start in range(0, len(events), 200):
            status, body = self.ask("/v1/events", self.store(events[start:start + 200]).encode())
            if status != 200 or json.loads(body)["rejected"]:
                raise Broken(f"events are refused: {status} {body[:500]}")
        self.publish()
        before = [self.answered(asked) for asked in self.asked]
        served = self.many()
        pages = random.Random(self.seed).random() < 0.3
        state = self.pick.getstate()
        shown = self.pages() if pages else None
        if self.ask("/healthz")[0] != 200:
            raise Broken("the service is not alive")
        self.end()
        for asked, (code, text) in zip(self.asked, before):
            done = self.command(asked)
            if (done.returncode, done.stdout.decode()) != (code, text):
                raise Broken(f"{self.line(asked)}: another answer once events are folded ({code}, {done.returncode}): {first_difference(text, done.stdout.decode())}")
        self.pick.setstate(state)
        if pages and (again := self.pages()) != shown:
            raise Broken(f"other pages or files once events are folded: {[name for name in {**shown, **again} if shown.get(name) != again.get(name)]}")

        self.served_again(served)

    def served_again(self, before):
        """By a service that finds all events folded."""
        if not self.more:
            return
        self.start()
        for asked, one, other in zip(self.more, before, self.many()):
            if one != other:
                raise Broken(f"{path(asked)}, as {self.line(asked)}: another answer once events are folded: {first_difference(one[1], other[1])}")
        self.end()

    def end(self):
        self.service.terminate()
        if self.service.wait(60) != 0:
            raise Broken(f"the service ended with {self.service.returncode}: {(self.folder / 'log').read_text()[-1500:]}")

    def answered(self, asked):
        if wrong := self.wrong(asked):
            small = self.smallest(asked)
            raise Broken(f"{self.line(small)}: {self.wrong(small) or wrong}")
        done = self.command(asked)
        self.forms(asked, done.returncode)
        return done.returncode, done.stdout.decode()


def first_difference(one, other):
    place = next((index for index, (left, right) in enumerate(zip(one, other)) if left != right), min(len(one), len(other)))
    return f"…{one[max(0, place - 60):place + 60]!r} is not …{other[max(0, place - 60):place + 60]!r}"
