"""Looks at a site as people do: in a real browser, in light and dark, narrow and wide, and printed.

usage: check.py SITE [--pages GLOB,...] [--shots FOLDER]
Exit 1 with a line for every fault.
"""
import argparse
import base64
import bisect
import csv
import html
import html.parser
import importlib.resources
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

LARGEST = 60_000
MOST_SHEETS = 4
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()


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
        answers = json.loads((site / "data.json").read_text())["answers"]
        self.sorted = {name: sorted(set(numbers(answer["answer"]))) for name, answer in answers.items()}
        self.estimates = {name: list(estimates(answer["answer"])) for name, answer in answers.items()}
        self.rows = {name: list(rows(answer["answer"])) for name, answer in answers.items()}

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


def browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def look(driver, width, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def requests(driver):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def shoot(driver, folder, name):
    if folder is None:
        return
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    (folder / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def printed(driver, keep):
    pdf = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(base64.b64decode(pdf["data"]))
        file.flush()
        if keep:
            keep.write_bytes(base64.b64decode(pdf["data"]))
        text = subprocess.run(["pdftotext", "-raw", file.name, "-"], capture_output=True, check=True, text=True).stdout
    return squeezed(text), text.count("\f")


def squeezed(text):
    return re.sub(r"\s+", "", text)


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
            figures = re.findall(r"[\d.]+%(?: \([^)]*\))?|[\d,]+(?= updated| waiting| reachable)", said)
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
    for names in re.findall(r'aria-labelledby="([^"]*)"', text):
        if missing := set(names.split()) - ids:
            yield f"nothing is {' or '.join(sorted(missing))}, which should name a part of the page"


def axe(driver):
    driver.execute_script(AXE)
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then(r => done(r.violations)).catch(e => done([{id: String(e), nodes: []}]))")
    return [f"{one['id']}: {[n['html'][:120] for n in one['nodes'][:3]]}" for one in found]


def check(driver, site, path, known, folder):
    file = site / path
    text = file.read_text()
    page = Page(text)
    if len(text.encode()) > LARGEST:
        yield f"{len(text.encode())} bytes, over {LARGEST}"
    for values, words, sources in page.numbers:
        if not known.holds(values, sources):
            yield f"{words} ({values}) is in none of {' '.join(sources) or 'no answers'}"
        if not agree(words, values):
            yield f"\"{words}\" is not {values}"
    yield from readings(text)
    yield from newest(text)
    yield from beside(site, path, text, page)
    yield from described(text)
    for cells, sources in filter(None, page.rows):
        if cells and not known.together([value for values, _, _ in cells for value in values], sources):
            yield f"no row of {' '.join(sources)} has all of {[words for _, words, _ in cells]}"
    list(requests(driver)), driver.get_log("browser")
    look(driver, 1200, "light")
    driver.get(file.resolve().as_uri())
    for url in requests(driver):
        if url != file.resolve().as_uri() and url != "data:,":
            yield f"requests {url}"
    for entry in driver.get_log("browser"):
        yield f"console: {entry['message']}"
    if driver.execute_script("return window.hit || document.querySelectorAll('script,iframe,object,[onerror],[onload]').length"):
        yield "something could run"
    name = str(path).replace("/", "-").removesuffix(".html")[:60]
    for scheme in ["light", "dark"]:
        look(driver, 1200, scheme)
        shoot(driver, folder, f"{name}-{scheme}")
        for violation in axe(driver):
            yield f"axe, {scheme}: {violation}"
    for width in [360, 768, 2560]:
        look(driver, width, "light")
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        if wide > width:
            yield f"{wide} pixels wide in a window of {width}"
        if width != 768:
            shoot(driver, folder, f"{name}-{width}")
    yield from layout(driver, file.resolve().as_uri())
    look(driver, 1200, "dark")
    paper, sheets = printed(driver, folder and folder / f"{name}.pdf")
    if sheets > MOST_SHEETS:
        yield f"{sheets} sheets of paper, over {MOST_SHEETS}"
    for caption in page.captions:
        if caption.isascii() and squeezed(caption) not in paper:
            yield f"not printed: {caption}"


# What a reader would have to scroll for, and what lies where it does not belong; each with its words.
LAYOUT = {
    "opened": """
      document.querySelectorAll('details').forEach(one => one.open = true);
      return [...document.querySelectorAll('.sc')].filter(one => one.scrollWidth > one.clientWidth + 1)
        .map(one => 'columns are hidden of: ' + one.getAttribute('aria-label'))""",
    "tiles": """
      return [...document.querySelectorAll('.tiles')].filter(list => {
        const all = [...list.children], tops = all.map(one => one.offsetTop);
        const last = all.filter(one => one.offsetTop == Math.max(...tops));
        return all.length > last.length && last.length == 1 && last[0].offsetWidth < list.clientWidth * .9;
      }).map(() => 'a tile is left alone')""",
    "names": """
      return [...document.querySelectorAll('svg .el')].some(one => getComputedStyle(one).display != 'none')
        ? ['names lie on curves'] : []""",
    "covered": """
      return [...document.querySelectorAll('svg.v path')].filter(one => {
        one.scrollIntoView({block: 'center'});
        const box = one.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) != one;
      }).map(one => 'no pointer reaches: ' + one.textContent)""",
    "cut": """
      return [...document.querySelectorAll('main table')].filter(one => {
        const room = one.closest('section').getBoundingClientRect(), own = one.getBoundingClientRect();
        return own.right > room.right + 2;
      }).map(one => 'cut on paper: ' + one.caption.textContent)""",
}
PAPER = 710


def layout(driver, url):
    """What is hidden, alone or cut: at 1280 pixels with all tables opened, on a phone, and on paper."""
    for width, names in [(1280, ["tiles", "covered", "opened"]), (360, ["tiles", "names"])]:
        look(driver, width, "light")
        driver.get(url)
        for name in names:
            for fault in driver.execute_script(LAYOUT[name]):
                yield f"{width} pixels: {fault}"
    look(driver, PAPER, "light")
    driver.get(url)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    yield from driver.execute_script(LAYOUT["cut"])
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


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


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--pages", default="*.html,*/*.html")
    parser.add_argument("--shots", type=pathlib.Path)
    return parser.parse_args()


def main():
    asked = arguments()
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    pages = sorted({page.relative_to(asked.site) for glob in asked.pages.split(",") for page in asked.site.glob(glob)})
    # It has a script, and a check of its own.
    pages = [page for page in pages if page != pathlib.Path("explorer.html")]
    driver, known, faults = browser(), Known(asked.site), 0
    for fault in whole(asked.site):
        faults += 1
        print(fault)
    try:
        for path in pages:
            for fault in check(driver, asked.site, path, known, asked.shots):
                faults += 1
                print(f"{path}: {fault}")
    finally:
        driver.quit()
    print(f"{len(pages)} pages, {faults} faults")
    sys.exit(1 if faults or not pages else 0)


if __name__ == "__main__":
    main()
