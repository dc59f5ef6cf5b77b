"""Uses explorer.html as people do, and holds every number that it shows against the command line's for the same cut.

usage: explorer.py PROGRAM DATABASE SITE NOW [--every] [--shots FOLDER]     --every: all cuts, else a sample of 40
Exit 1 with a line for every fault.
"""
import argparse
import base64
import bisect
import concurrent.futures
import csv
import decimal
import hashlib
import html
import io
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chrome import LAYOUT, PAPER, axe, browser, look, requests, shoot
from page import agree

LARGEST = 500_000
POINTS = "100000"
# A pixel of the picture, what an answer of 300 points leaves out, and rounding, as shares.
ROOM = 1 / 322 + 1 / 299 + 0.0006

# What a view shows: its tables, the table under the pointer at each age, the line, and what it would save.
READ = """
const done = arguments[0];
const cells = id => [...document.querySelectorAll('#' + id + ' tbody tr')].map(row => [...row.cells].map(cell => cell.textContent));
const read = () => {
  const range = document.getElementById('at'), points = [];
  for (const at of times()) {
    range.value = at;
    range.dispatchEvent(new Event('input'));
    points.push(...cells('points'));
  }
  done({figures: cells('figures'), points, corners: shown().map(one => corners(one.row[5][0])), csv: csv(), said: document.getElementById('said').textContent});
};
const wait = () => window.isOpened ? read() : setTimeout(wait, 1);
wait();
"""
# How far the thumb lies from the line: at the end of its way, half a thumb of 16 pixels before the slider's end.
BELOW = """
const line = document.getElementById('cursor').getBoundingClientRect().left, range = document.getElementById('at').getBoundingClientRect();
const share = Number(document.getElementById('at').value) / Number(document.getElementById('at').max);
const off = Math.abs(range.left + 8 + share * (range.width - 16) - line);
return off > 2 ? Math.round(off) : 0;
"""
# Of the next change of the address: the browser tells the page a little later, and may still be telling it of the one before.
AWAIT = """
const before = location.hash;
window.isOpened = false;
addEventListener('hashchange', function opened() {
  if (location.hash === before) return;
  window.isOpened = true;
  removeEventListener('hashchange', opened);
});
"""


def tenths(value):
    # What is a half but for the last digit of a float is one.
    return str((decimal.Decimal(repr(value * (1 + 1e-15))) * 100).quantize(decimal.Decimal("0.1"), decimal.ROUND_HALF_UP))


def percent(value):
    if 0 < value < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= value < 1 else tenths(value) + "%"


def words(estimate, tail=""):
    """As the command line writes it."""
    value, lo, hi = estimate["value"], estimate["lo"], estimate["hi"]
    if value is None:
        return "—" + tail
    if lo is None or hi is None:
        ends = "" if lo is None and hi is None else f" (≤ {tenths(hi)})" if lo is None else f" (≥ {tenths(lo)})"
    else:
        ends = f" ({tenths(lo)}–{tenths(hi)})"
    return percent(value) + ends + tail


def known(row):
    """Ages of which the file knows anything."""
    return list(itertools.takewhile(lambda age: age["share"]["value"] is not None or age["atRisk"] > 0, row["ages"]))


def question(program, database, now, ages, release, cut):
    line = [program, "adoption", "--db", database, "--now", now, "--baseline", "none", "--at", ",".join(f"{age}s" for age in ages),
            "--points", POINTS, "--min-cell", "5", "--json", "--quiet"]
    for part, name in cut.items():
        if name is not None:
            line += {"channel": ["--channel=" + name], "platform": ["--platform=" + name],
                     "appVersion": ["--where", f"appVersion={name}"]}[part]
    answer = subprocess.run(line + ["--", release], capture_output=True, text=True)
    if answer.returncode not in (0, 4):
        return None
    return json.loads(answer.stdout)["data"][0]


def faults_of(view, release, row):
    """Where a view of one release and cut says anything else than the answer's row."""
    figures = view["figures"]
    if len(figures) != 1 or figures[0][0] != release:
        yield f"the table is of {[cells[0] for cells in figures]}"
        return
    cells = figures[0]
    if row is None or not row.get("devices"):
        if not cells[1].startswith("fewer than 5 devices"):
            yield f"says {cells[1:]} where the command line withholds"
        return
    if cells[1:3] != [f"{row['devices']:,}", f"{row['events']:,}"]:
        yield f"counts {cells[1:3]}, not {row['devices']} and {row['events']}"
    usual = [age for age in row["ages"] if age["seconds"] in (3600, 21600, 86400, 259200, 604800)]
    for word, age in zip(cells[3:], usual, strict=False):
        if word != words(age["share"], f", n {age['atRisk']:,}"):
            yield f"says {word} at {age['seconds']} s, not {age['share']}"
    median = row["median"]
    if (median["value"] is None) != cells[-1].startswith("—"):
        yield f"median {cells[-1]}, not {median}"
    elif median["value"] is not None and not agree(cells[-1], [one for one in (median["value"], median["lo"], median["hi"]) if one is not None]):
        yield f"median {cells[-1]}, not {median}"
    yield from readings(view, row)
    yield from picture(view, row)


def readings(view, row):
    ages = known(row)
    if len(view["points"]) != len(ages):
        yield f"{len(view['points'])} ages, not {len(ages)}"
    for cells, age in zip(view["points"], ages):
        if cells[1:] != [words(age["share"]), f"{age['events']:,}", f"{age['atRisk']:,}"]:
            yield f"under the pointer {cells[1:]}, not {age}"
    mine = [line for line in csv.DictReader(io.StringIO(view["csv"])) if line["kind"] == "age"]
    if len(mine) != len(ages):
        yield f"CSV has {len(mine)} lines of ages, not {len(ages)}"
    for line, age in zip(mine, ages):
        told = [line["seconds"], line["atRisk"]] == [str(age["seconds"]), str(age["atRisk"])]
        pairs = [("share", "value"), ("share_lo", "lo"), ("share_hi", "hi")]
        if not told or not all(near(line[name], age["share"][key]) for name, key in pairs):
            yield f"CSV has {line}, not {age}"


def picture(view, row):
    """The line ends where the data end, and is off by a pixel at most, beside the points that the answer leaves out and a minute."""
    corners, points = view["corners"][0], row["curve"]["points"]
    if points and (corners[-1][0] != points[-1]["seconds"] // 60 * 60 or abs(corners[-1][1] - points[-1]["value"] * 10_000) > 5.01):
        yield f"the line ends at {corners[-1]}, not at {points[-1]}"
    for point in points:
        after = bisect.bisect_right(corners, point["seconds"], key=lambda corner: corner[0])
        left, right = corners[after - 1], corners[min(after, len(corners) - 1)]
        part = (point["seconds"] - left[0]) / (right[0] - left[0]) if right[0] > left[0] else 0
        drawn = (left[1] + part * (right[1] - left[1])) / 10_000
        near = [one["value"] for one in points if abs(one["seconds"] - point["seconds"]) <= 60]
        if not min(near) - ROOM <= drawn <= max(near) + ROOM:
            yield f"the line is at {drawn}, not at {point}"


def near(text, value):
    return text == "" if value is None else text != "" and abs(float(text) - value) <= 1.0001e-4


def cuts(data):
    names = [[None] + names for names in data["cuts"]["names"]]
    for release in data["releases"]:
        for parts in itertools.product(*names):
            yield release["name"], dict(zip(data["parts"], parts))


def numbers(driver, url, asked, data):
    all_cuts = list(cuts(data))
    left_out = any(split["leftOut"] for split in data["cuts"]["splits"])
    sample = all_cuts if asked.every else all_cuts[:: max(1, len(all_cuts) // 40)]
    shown = 0
    driver.get("about:blank")
    driver.get(url + "#start")
    # A comma separates values on the command line.
    sample = [(release, cut) for release, cut in sample if not any("," in (name or "") for name in cut.values())]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = pool.map(lambda one: question(asked.program, asked.database, asked.now, data["ages"], *one), sample)
    for (release, cut), row in zip(sample, rows):
        words = [("release", release)] + [(part, name) for part, name in cut.items() if name is not None]
        driver.execute_script(AWAIT)
        driver.get(f"{url}#{urllib.parse.urlencode(words)}")
        view = driver.execute_async_script(READ)
        if left_out and "or left out" in view["figures"][0][1]:
            continue
        shown += bool(row and row.get("devices"))
        for fault in faults_of(view, clean(release), row):
            yield f"{release} {cut}: {fault}"
    print(f"{len(sample)} cuts, {shown} with devices")


def clean(text):
    return re.sub("[\\x00-\\x1f\\x7f-\\x9f\\xad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]", "\ufffd", text)


def policy(text):
    found = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1))
    script, sheet = re.search(r"<script>(.*?)</script>", text, re.S), re.search(r"<style>(.*?)</style>", text, re.S)
    for word, part in [("script-src", script), ("style-src", sheet)]:
        digest = base64.b64encode(hashlib.sha256(part.group(1).encode()).digest()).decode()
        if f"{word} 'sha256-{digest}';" not in found:
            yield f"the policy does not name the {word} that is there"
    if "default-src 'none'" not in found or "unsafe" in found:
        yield f"the policy permits more: {found}"


def looks(driver, url, folder):
    list(requests(driver)), driver.get_log("browser")
    look(driver, 1200, "light")
    driver.get(url)
    for one in requests(driver):
        if one.split("#")[0] != url and one != "data:,":
            yield f"requests {one}"
    for entry in driver.get_log("browser"):
        yield f"console: {entry['message']}"
    for scheme in ["light", "dark"]:
        look(driver, 1200, scheme)
        shoot(driver, folder, f"explorer-{scheme}")
        for violation in axe(driver):
            yield f"axe, {scheme}: {violation}"
    for width in [360, 768, 2560]:
        look(driver, width, "light")
        shoot(driver, folder, f"explorer-{width}")
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        if wide > width:
            yield f"{wide} pixels wide in a window of {width}"
    look(driver, PAPER, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    yield from driver.execute_script(LAYOUT["cut"])
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    look(driver, 1200, "light")
    driver.execute_script("const one = document.createElement('script'); one.textContent = 'window.hit = 1'; document.body.append(one)")
    if driver.execute_script("return window.hit"):
        yield "a script that the policy does not name ran"
    driver.get_log("browser")


def used(driver, url):
    """Keys, the pointer, a link, and files that are saved, where there is anything to choose."""
    driver.get("about:blank")
    driver.get(url + "#release=never-published")
    if "never-published" not in driver.find_element(By.ID, "said").text:
        yield "says nothing of a release that the file does not hold"
    boxes = driver.find_elements(By.CSS_SELECTOR, "#releases input")
    for box in boxes:
        if not box.is_selected() and box.is_enabled():
            box.send_keys(Keys.SPACE)
    on = sum(box.is_selected() for box in boxes)
    if on != min(4, len(boxes)) or any(box.is_enabled() and not box.is_selected() for box in boxes) and on == 4:
        yield f"{on} releases are chosen of {len(boxes)}"
    if not driver.execute_script("return shown().length"):
        return
    at = driver.find_element(By.ID, "at")
    at.send_keys(Keys.HOME)
    before = driver.find_element(By.ID, "points").text
    at.send_keys(Keys.ARROW_RIGHT)
    steps = driver.execute_script("return times()")
    if driver.execute_script("return chosen.at") != steps[min(1, len(steps) - 1)]:
        yield "an arrow does not lead to the next age"
    at.send_keys(Keys.END)
    if driver.find_element(By.ID, "points").text == before:
        yield "keys do not move through time"
    if off := driver.execute_script(BELOW):
        yield f"the slider's thumb is {off} pixels beside the line in the picture"
    before = driver.find_element(By.ID, "points").text
    ActionChains(driver).move_to_element(driver.find_element(By.CSS_SELECTOR, "#chart svg")).perform()
    view = driver.find_element(By.ID, "points").text
    if view == before:
        yield "the pointer shows nothing"
    link = driver.find_element(By.ID, "link").get_attribute("href")
    driver.get("about:blank")
    driver.get(link)
    if driver.find_element(By.ID, "points").text != view:
        yield "the link leads to another view"
    yield from saved(driver)


def saved(driver):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        for name in ["csv", "svg"]:
            file = pathlib.Path(folder) / f"adoption.{name}"
            driver.find_element(By.ID, name).click()
            for _ in range(1200):
                if file.exists() and file.stat().st_size:
                    break
                time.sleep(0.05)
            else:
                yield f"no {name} is saved"
                continue
            text = file.read_bytes().decode()
            if name == "csv" and text != driver.execute_script("return csv()"):
                yield "the CSV that is saved is not the view's"
            if name == "svg":
                root = xml.etree.ElementTree.fromstring(text)
                if "var(" in text or "class=" in text or len(root.findall(".//{*}path")) < 4:
                    yield "the SVG does not stand alone"


def unscripted(driver, url):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get("about:blank")
    driver.get(url)
    if "switched off" not in driver.find_element(By.TAG_NAME, "main").text:
        yield "without scripts nothing says why the page is empty"
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def check(driver, asked):
    file = asked.site / "explorer.html"
    text, url = file.read_text(), file.resolve().as_uri()
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    if len(text.encode()) > LARGEST:
        yield f"{len(text.encode())} bytes, over {LARGEST}"
    if asked.full and not any(split["leftOut"] for split in data["cuts"]["splits"]):
        yield "nothing is left out"
    yield from policy(text)
    yield from looks(driver, url, asked.shots)
    yield from used(driver, url)
    yield from numbers(driver, url, asked, data)
    for entry in driver.get_log("browser"):
        yield f"console: {entry['message']}"
    yield from unscripted(driver, url)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("database")
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("now")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--full", action="store_true", help="More cuts than the file has room for")
    parser.add_argument("--shots", type=pathlib.Path)
    return parser.parse_args()


def main():
    asked, faults = arguments(), 0
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    driver = browser()
    try:
        for fault in check(driver, asked):
            faults += 1
            print(f"explorer.html: {fault}")
    finally:
        driver.quit()
    print(f"explorer.html: {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
