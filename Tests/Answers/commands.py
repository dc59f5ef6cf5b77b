"""What can be asked, read from the program's own help: an option that is new there is tried here without further ado."""
import atexit
import dataclasses
import datetime
import functools
import re
import subprocess
import tempfile

from fleets import BASE, DAY, HOUR

# What an option is refused without.
NEEDED = {"within": [("objective", "0.9")]}
DURATIONS = ["0s", "1s", "1m", "90m", "6h", "24h", "7d", "28d", "400d"]
SHARES = ["0%", "-2pp", "0.5%", "2pp", "0.5", "100%"]


class Broken(Exception):
    """Something that must hold did not."""


def complaint(errors):
    """What a program said at its end; of a trap where it was, without registers and images."""
    telling = [line for line in errors.splitlines() if "Fatal error" in line or "/Sources/" in line]
    return "\n".join(telling[:8]) or errors[-800:]


@dataclasses.dataclass
class Option:
    name: str
    value: str
    help: str
    group: str

    @property
    def words(self):
        listed = re.search(r"One of: ([^.]*)", self.help)
        if listed:
            return listed[1].split(", ")
        return self.value.split("|") if "|" in self.value else []

    @property
    def default(self):
        found = re.search(r"Default: (\S+?)\.?(?: |$)", self.help)
        return found[1] if found else None

    @property
    def is_list(self):
        return "Comma-separated" in self.help


class Question:
    def __init__(self, program, name):
        self.program, self.name = program, name
        text = subprocess.run([program, "help", name], capture_output=True, text=True, check=True).stdout
        usage = re.search(r"USAGE\n  \S+ \S+ (.*)", text)[1].split()
        self.arguments = [word.strip("[]") for word in usage if word != "[OPTIONS]"]
        self.optional = [word.strip("[]") for word in usage if word.startswith("[") and word != "[OPTIONS]"]
        self.options = list(self.read(text))

    @staticmethod
    def read(text):
        group, option = None, None
        for line in text.splitlines():
            if re.fullmatch(r"[A-Z ]+", line):
                group = line
            found = re.match(r"  (?:-\w, |    )--([\w-]+)(?: ((?:[A-Z][\w|&,=\[\]]*|[\w.-]+\|[\w|.-]+)))?(?:  +(.*))?$", line)
            if found:
                if option:
                    yield option
                option = Option(found[1], found[2] or "", found[3] or "", group)
            elif option and line.startswith("       "):
                option.help = (option.help + " " + line.strip()).strip()
        if option:
            yield option

    def told(self, option, value):
        """How the program takes a value, in a database of two releases."""
        names = ["x", "y"][:len(self.arguments)]
        needed = [f"--{name}={share}" for name, share in NEEDED.get(option.name, [])]
        return subprocess.run([self.program, self.name, f"--db={some_database(self.program)}", f"--{option.name}={value}", *needed, *names],
                              capture_output=True, text=True)

    @functools.cache
    def takes(self, name, value):
        """Whether the program takes such a value; what it does not take it refuses as a wrong command line."""
        done = self.told(self.option(name), value)
        if not 0 <= done.returncode <= 6:
            raise Broken(f"{self.name} --{name}={value} of two releases that nobody has ends with {done.returncode}: {complaint(done.stderr)}")
        return done.returncode != 2

    def option(self, name):
        return next(option for option in self.options if option.name == name)

    def choose(self, option, values, pick):
        return pick.choice([value for value in values if self.takes(option.name, value)])

    @functools.cache
    def range(self, name):
        found = re.search(r"outside (\S+) to (\S+)", self.told(self.option(name), "-1e99").stderr + self.told(self.option(name), "-9999999999").stderr)
        return (float(found[1]), float(found[2])) if found else (0, 1)

    @functools.cache
    def is_whole(self, name):
        return "not a whole number" in self.told(self.option(name), "0.5").stderr

    @functools.cache
    def conditions(self, name):
        return re.search(r"write it as (.*?);", self.told(self.option(name), "x").stderr)[1].split(" or ")

    def number(self, option, pick):
        low, high = self.range(option.name)
        if self.is_whole(option.name):
            return str(int(pick.choice([low, low + 1, 3, 5, min(high, 100)])))
        return str(pick.choice([low, high, (low + high) / 2, 0.9 if low <= 0.9 <= high else low]))

    def value(self, option, fleet, pick):
        """Something that the option takes."""
        if option.name in fleet.kept or option.name == "release":
            return pick.choice((fleet.labels if option.name == "release" else fleet.kept[option.name]) or ["x"])
        if option.words:
            return pick.choice([pick.choice(fleet.labels or ["none"]) if word.isupper() else word for word in option.words])
        match option.value:
            case "DURATION": return self.choose(option, DURATIONS, pick)
            case "SHARE": return self.choose(option, SHARES, pick)
            case "N": return self.number(option, pick)
            case "TIME": return rfc3339(BASE + pick.choice([-400 * DAY, -DAY, 0, 1, HOUR, 3 * DAY, 30 * DAY]))
            case "CONDITION": return self.condition(option, pick)
            case "POSITION": return pick.choice(["0-0000000000000000-0", "1741392000000-8000000000000000-1"])
            case "ARMS": return pick.choice(["holdout:5,push:95", "a:33.33,b:33.33", "x:0"])
            case "FIELD=VALUE[,VALUE]": return pick.choice(
                ["osVersion=17.4", "region=unknown", "deviceModel=x", "tag:plan=pro,unknown", "appVersion=1.0,unknown", "sdkVersion==",
                 "network=wifi,unknown", "bucket=7"])
            case other: raise AssertionError(f"{self.name} --{option.name} takes {other}: nothing here knows what that is")

    def condition(self, option, pick):
        form = pick.choice(self.conditions(option.name))
        subject, age, *_ = re.match(r"(\w+)(@\w+)?", form).groups()
        if "!=" in form:
            return f"{subject}{pick.choice(['==', '!='])}{pick.choice(['stop', 'widen', 'goOn'])}"
        age = "@" + pick.choice(DURATIONS) if age else ""
        return f"{subject}{age}.{pick.choice(['value', 'lo', 'hi'])}{pick.choice(['>=', '<=', '>', '<'])}{pick.choice(['0', '0.4', '1'])}"

    def combination(self, fleet, pick):
        """A question about the fleet with some of its options, as (options, arguments)."""
        names = (fleet.known if pick.random() < 0.95 else fleet.labels) or ["none"]
        given = [pick.choice(fleet.devices or ["d"]) if name == "DEVICE" else pick.choice(names) for name in self.arguments]
        if self.arguments == ["RELEASE", "BASELINE"] and len(names) > 1:
            given = pick.sample(names, 2)
        if self.optional and pick.random() < 0.5:
            given = []
        options = []
        for option in self.options:
            if option.group not in ("FILTERS", "STATISTICS", "GATES") or pick.random() > (0.2 if option.group != "FILTERS" else 0.1):
                continue
            if not option.value:
                options.append((option.name, None))
                continue
            count = pick.choice([1, 1, 2, 3]) if option.is_list and not option.name == "app" else 1
            values = list(dict.fromkeys(self.value(option, fleet, pick) for _ in range(count)))
            # No list can hold a name with a comma.
            options.append((option.name, ",".join(values)))
        chosen = {name for name, _ in options}
        options += [needed for name in chosen for needed in NEEDED.get(name, []) if needed[0] not in chosen]
        if len(fleet.kept["app"]) != 1 and not any(name == "app" for name, _ in options):
            options.append(("app", pick.choice(fleet.apps)))
        options.append(("now", rfc3339(pick.choice(fleet.nows))))
        return options, given


@functools.cache
def some_database(program):
    folder = tempfile.TemporaryDirectory(prefix="uptake-options-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    for release in ("x", "y"):
        subprocess.run([program, "release", "publish", release, "--app=a", f"--db={folder.name}/some.db"], capture_output=True, check=True)
    return f"{folder.name}/some.db"


def questions(program):
    text = subprocess.run([program, "help", "all"], capture_output=True, text=True, check=True).stdout
    section = re.search(r"QUESTIONS\n((?:  .*\n)+)", text)[1]
    return [Question(program, name) for name in re.findall(r"^  ([a-z-]+) ", section, re.M)]


def rfc3339(milliseconds):
    time = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03}Z"
