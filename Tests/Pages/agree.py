"""No two places disagree: a number of one name, of one release on one channel, is written the same on every page and by every command.

usage: agree.py SITE PROGRAM DATABASE NOW
Exit 1 with a line for every name that has several texts.
"""
import collections
import html.parser
import json
import pathlib
import re
import subprocess
import sys

# What a page or a command calls it, and the one name under which it is compared.
NAMES = {
    "failed first attempts": "failed", "first attempts failed": "failed", "median time to update": "median",
    "rate": "failed", "p50": "median", "limit": None, "state": None, "devices with time at risk": "devices",
}
# Of commands whose heading means the share, and not how many.
COUNTS = {"failures": {"failed": None}}


class Numbers(html.parser.HTMLParser):
    """Tiles and cells of a page: (where, name) and the text of each number there."""

    def __init__(self, text):
        super().__init__()
        self.found, self.caption, self.heads, self.row, self.cells = [], "", [], None, 0
        self.body = False
        self.tile, self.into, self.number, self.first = None, None, None, True
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "table":
            self.caption, self.heads, self.row, self.cells, self.body = "", [], None, 0, False
        if tag == "tr":
            self.row, self.cells = None, 0
        if tag == "td":
            self.cells, self.first = self.cells + 1, True
        if tag in ("caption", "dt") or tag == "th":
            self.into = "row" if tag == "th" and self.body else tag
            if tag == "dt":
                self.tile = ""
            if self.into == "th":
                self.heads.append("")
            if self.into == "row":
                self.row = ""
        elif tag in ("td", "dd", "thead", "tbody", "details", "p"):
            self.into, self.body = None, tag == "tbody" or self.body
        if "data-v" in values and self.into != "row":
            self.number = ""

    def handle_data(self, data):
        if self.number is not None:
            self.number += data
        elif self.into == "caption":
            self.caption += data
        elif self.into == "dt":
            self.tile += data
        elif self.into == "th":
            self.heads[-1] += data
        elif self.into == "row":
            self.row += data

    def handle_endtag(self, tag):
        if tag == "dl":
            self.tile = None
        if tag == "table":
            self.heads, self.row = [], None
        if tag == "b" and self.number is not None:
            if self.tile is not None:
                self.found.append((("tile",), self.tile, self.number))
            elif self.row is not None and self.first and self.cells < len(self.heads):
                # What follows in a cell has no name of its own.
                self.first = False
                self.found.append(((self.caption, self.row.strip()), self.heads[self.cells], self.number))
            self.number = None


def named(name):
    return NAMES.get(name.strip().lower(), name.strip().lower())


def of_pages(site):
    """((release, channel), name): texts, with the places where each stands."""
    for page in sorted(site.rglob("*.html")):
        path, source = str(page.relative_to(site)), page.read_text()
        heading = re.search(r"<h1[^>]*>(?:<bdi>)?(.+?)(?:</bdi>)? on (?:<bdi>)?(.+?)(?:</bdi>)?</h1>", source)
        about, tiles = heading and heading.groups(), collections.defaultdict(list)
        for where, name, text in Numbers(source).found:
            if where == ("tile",):
                if about:
                    tiles[name].append(text)
            elif where[0].startswith("Releases, newest first"):
                release, _, channel = where[1].rpartition(" ")
                yield (release, channel), named(name), text, path
            else:
                # The same table of the same release may stand on several pages.
                yield (about or "site", where), name, text, path
        for name, texts in tiles.items():
            # The value and its interval; what follows are counts that have no name of their own.
            whole = " ".join(texts[:2]) if len(texts) > 1 and texts[1].startswith("(") else texts[0]
            yield about, named(name), whole, path


def of_commands(site, program, database, now):
    def table(*words):
        done = subprocess.run(
            [program, *words, "--db", database, "--now", now, "--format", "md", "--quiet"], capture_output=True, text=True)
        lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in done.stdout.splitlines() if line.startswith("|")]
        assert len(lines) > 2, (words, done.stderr)
        return [dict(zip(lines[0], cells)) for cells in lines[2:]]

    def shown(row, about, command):
        for heading, text in row.items():
            name = COUNTS.get(command, {}).get(heading.lower(), named(heading))
            if name and re.match(r"[<>+−]?\d", text):
                yield about, name, text, f"uptake {command}"

    for row in table("releases"):
        yield from shown(row, (row["RELEASE"], row["CHANNEL"]), "releases")
    for release in json.loads((site / "data.json").read_text())["releases"]:
        about = (release["release"], release["channel"])
        for command in ("verdict", "failures", "time-to-update"):
            for row in table(command, about[0], "--channel", about[1]):
                yield from shown(row, about, command)


def main():
    site, program, database, now = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    texts = collections.defaultdict(lambda: collections.defaultdict(set))
    for about, name, text, place in [*of_pages(site), *of_commands(site, program, database, now)]:
        texts[about, name][" ".join(text.split())].add(place)
    several = sum(len({place for places in found.values() for place in places}) > 1 for found in texts.values())
    faults = {key: found for key, found in texts.items() if len(found) > 1}
    for (about, name), found in sorted(faults.items(), key=str):
        print(f"{about} {name}: " + "; ".join(f"{text} ({', '.join(sorted(places)[:3])})" for text, places in sorted(found.items())))
    if several < 50:
        sys.exit(f"only {several} numbers stand in several places: were they found?")
    print(f"{len(texts)} numbers, {several} of them in several places; {len(faults)} disagree")
    sys.exit(1 if faults else 0)


main()
