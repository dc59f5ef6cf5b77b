"""What the source of a site draws, links and names, held against its tables and files."""
import csv
import html
import json
import re
import xml.etree.ElementTree

from chrome import squeezed

WITHHELD = "— withheld"
PLOTTED = {"adoption": 3, "reach": 3, "mechanism-curves": 2}


def readings(text):
    """What the plots of adoption, reach and mechanisms say at an age is what the table below them says."""
    for panel, fewest in PLOTTED.items():
        yield from (f"{panel}: {fault}" for fault in readings_of(panel, fewest, text))


def readings_of(panel, fewest, text):
    for section in re.findall(rf'<section aria-labelledby="{panel}">.*?</section>', text, re.S):
        rows = {}
        for cells in re.findall(r"<tr><th>(.*)", section):
            age, *others = [squeezed(plain(cell)) for cell in cells.split("<td>")]
            rows.setdefault(age, []).append(set(others))
        titles = re.findall(r"<path[^>]*><title>(.*?)</title>", section)
        if rows and not titles and "<svg" in section:
            yield "no value under the pointer"
        for words in map(html.unescape, titles):
            age, said = words.split(": ", 1)
            said = said.replace("too few to be shown", WITHHELD)
            figures = re.findall(rf"<?[\d.]+%(?: \([^)]*\))?|[\d,]+(?= updated| waiting| reachable)|{WITHHELD}", said)
            if len(figures) < fewest:
                yield f"no figures: {words}"
            # Of the table of reach the first column is the instant.
            known = [row for all in rows.values() for row in all] if panel == "reach" else rows.get(age, [])
            if known and "provisional" not in said and not any({*map(squeezed, figures)} <= row for row in known):
                yield f"\"{words}\" is not in {known}"


def newest(text):
    """What is drawn faint beyond the cutoff says so, in words and under the pointer."""
    said, drawn = "Drawn faint: the newest" in text, ": provisional, " in text
    if said != drawn:
        yield f"newest hours: in words {said}, under the pointer {drawn}"
    if said and not re.search(r'<path d="[^"]*" class="l f k', text):
        yield "nothing is drawn faint"


def beside(site, path, text, page):
    """Each panel's pictures and tables lie beside the page: drawings that are well-formed and whole, and the page's own numbers."""
    linked = re.findall(r'<a href="([^"]*\.(?:svg|csv))">', text)
    drawings, tables = text.count("<svg role=img"), text.count("<table")
    if sum(name.endswith("svg") for name in linked) != drawings or sum(name.endswith("csv") for name in linked) != tables:
        yield f"{drawings} pictures and {tables} tables, but the files {linked}"
    if len(set(linked)) != len(linked):
        yield f"a file is linked twice: {linked}"
    shown = {round(value, 9) for values, _, _ in page.numbers for value in values}
    for name in linked:
        file = (site / path).parent / html.unescape(name)
        if name.endswith("svg"):
            root = xml.etree.ElementTree.parse(file).getroot()
            if root.tag != "{http://www.w3.org/2000/svg}svg" or "var(" in file.read_text():
                yield f"{name} is no picture of its own"
            continue
        head, *rows = list(csv.reader(file.open(newline="")))
        odd = {cell for row in rows for cell in row[1:] if is_number(cell) and round(float(cell), 9) not in shown}
        if odd or any(len(row) != len(head) for row in rows):
            yield f"{name}: {odd or 'rows of other lengths'} not on the page"


def is_number(text):
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text) is not None


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def described(text):
    """Whatever an element is named or described by is on the page."""
    ids = set(re.findall(r' id="?([^" >]+)', text))
    for names in re.findall(r'aria-(?:labelledby|describedby)=("[^"]*"|[^ ">]+)', text):
        if missing := set(names.strip('"').split()) - ids:
            yield f"nothing is {' or '.join(sorted(missing))}, which should name a part of the page"


def whole(site):
    """Every page of a release is linked from the first page, and its mix names the newest release that runs."""
    document, index = json.loads((site / "data.json").read_text()), (site / "index.html").read_text()
    shown = {(row["release"], row.get("channel")) for row in document["answers"]["releases"]["answer"]["data"]}
    for release in document["releases"]:
        page = site / release["page"]
        if not page.exists():
            yield f"{release['page']}: is not there"
        if (release["release"], release["channel"]) in shown and f'href="{release["page"]}"' not in index:
            yield f"index.html: no link leads to {release['page']}"
    mix = document["answers"].get("mix", {"answer": {"data": []}})["answer"]["data"]
    mix = [row for row in mix if "history" in row]
    runs = [one["release"] for row in mix for point in row["history"][-1:] for one in point["running"]]
    newest = mix[0]["release"] if mix else None
    drawn = re.search(r'<section aria-labelledby="mix">.*?<p class=key.*?</p>', index, re.S)
    if drawn and newest in runs and len(newest) <= 18 and newest.isascii() and html.escape(newest) not in drawn.group().split('<p class=key')[1]:
        yield f"index.html: the mix does not name {newest}, the newest release"
