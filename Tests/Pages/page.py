"""What the source of a page says: captions, and numbers with their words and the answers that they come from."""
import bisect
import html
import html.parser
import json
import re


class Page(html.parser.HTMLParser):
    """Captions of a page's source; its numbers, each with its words and the answers that it must come from."""

    def __init__(self, text):
        super().__init__()
        self.captions, self.numbers, self.inside, self.sources, self.open = [], [], False, [], None
        self.rows = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "div":
            self.sources.append(values.get("data-from", "").split())
        if "data-v" in values:
            sources = [name for names in self.sources for name in names]
            # A count is its own text.
            self.open = [[float(number) for number in (values["data-v"] or "").split(",") if number], "", sources]
            self.numbers.append(self.open)
            # A cell may come from an answer of its own.
            if self.rows and self.rows[-1] is not None and sources == self.rows[-1][1]:
                self.rows[-1][0].append(self.open)
        if tag == "tr":
            self.rows.append([[], [name for names in self.sources for name in names]])
        if tag == "caption":
            self.inside = True
            self.captions.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "caption"
        if tag == "div":
            self.sources.pop()
        if tag == "table":
            self.rows.append(None)
        if tag == "b" and self.open:
            self.open[0] = self.open[0] or [float(self.open[1].replace(",", ""))]
            self.open = None

    def handle_data(self, data):
        if self.inside:
            self.captions[-1] += data
        if self.open:
            self.open[1] += data


UNITS = {"%": 0.01, "pp": 0.01, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, None: 1}


def says(word, value):
    """Whether a number as people read it is the value, to the digits that it shows."""
    match = re.fullmatch(r"([<>]?)([+-]?[\d,]+(?:\.(\d+))?) ?(%|pp|ms|s|m|h|d)?", word.replace("−", "-"))
    if not match:
        return False
    sign, digits, decimals, unit = match.groups()
    # The share that a rollout lets in is a percentage in JSON, too.
    unit = 1 if unit == "%" and abs(value) > 1 else UNITS[unit]
    shown = float(digits.replace(",", "")) * unit
    if sign:
        return 0 < value < shown if sign == "<" else shown < value < 1
    return abs(shown - value) <= 0.5001 * 10 ** -len(decimals or "") * unit + abs(value) * 1e-5


def agree(text, values):
    """`45.9% (44.9–46.9)`, `−2.3 pp (−4.0 to −0.6)`, `27.2h (≥ 20.1)`: the unit stands once, and an interval may stand alone."""
    head, ends = re.fullmatch(r"([^(]*?) ?(?:\(([^)]*)\))?", text).groups()
    known = [word for word in ([head] if head else []) + re.split(r" to |–", re.sub("^[≥≤] ", "", ends or "")) if word]
    if len(known) != len(values):
        return False
    unit = re.search(r"[%a-z]*$", head)[0]
    units = [unit] if unit else ["", *filter(None, UNITS)] if ends else [""]
    return any(all(says(word if n == 0 and head else word + unit, value) for n, (word, value) in enumerate(zip(known, values))) for unit in units)


def numbers(value):
    """Every number of a JSON value."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        yield float(value)
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)


def parts(value):
    """Every array and object of a JSON value, itself first."""
    if isinstance(value, (dict, list)):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts(part)


def estimates(answer):
    for part in parts(answer):
        if isinstance(part, dict) and "lo" in part and "hi" in part:
            yield [part.get("value", part.get("share")), part["lo"], part["hi"]]
        # Of nobody and of all the limit stands beside the share.
        for name, least, most in [("share", "atLeast", "atMost"), ("baseline", "baselineAtLeast", "baselineAtMost")]:
            if isinstance(part, dict) and isinstance(part.get(name), dict) and "value" in part[name]:
                yield [part[name]["value"], part.get(least), part.get(most)]


def rows(answer):
    """The numbers of everything that is listed."""
    for part in parts(answer):
        if isinstance(part, list):
            for row in part:
                yield sorted(set(numbers(row)))


class Known:
    """The numbers of each answer in data.json; pages write six significant digits.

    An estimate and its limits, and the numbers of a row of a table, must stand together there, too.
    """

    def __init__(self, site):
        document = json.loads((site / "data.json").read_text())
        answers = {name: answer["answer"] for name, answer in document["answers"].items()}
        # No command prints it.
        answers["health"] = document["health"]
        self.sorted = {name: sorted(set(numbers(answer))) for name, answer in answers.items()}
        self.estimates = {name: list(estimates(answer)) for name, answer in answers.items()}
        self.rows = {name: list(rows(answer)) for name, answer in answers.items()}

    def holds(self, values, sources):
        if len(values) == 1:
            return any(self.near(values[0], self.sorted[name]) for name in sources)
        ends = [limits for name in sources for limits in self.estimates[name]]
        return any(self.same(values, limits) or self.same(values, limits[1:]) for limits in ends)

    def same(self, values, limits):
        known = [limit for limit in limits if limit is not None]
        return len(known) == len(values) and all(self.near(*pair) for pair in zip(values, ([one] for one in known)))

    def together(self, values, sources):
        """Whether one row of an answer has all these numbers."""
        return any(all(self.near(value, row) for value in values) for name in sources for row in self.rows[name])

    @staticmethod
    def near(number, known):
        room = abs(number) * 5.1e-6
        place = bisect.bisect_left(known, number - room)
        return place < len(known) and known[place] <= number + room
