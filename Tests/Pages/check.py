"""Looks at a site as people do: in a real browser, in light and dark, narrow and wide, and printed.

usage: check.py SITE [SCREENSHOTS]
Exit 1 with a line for every fault.
"""
import base64
import bisect
import html.parser
import importlib.resources
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

LARGEST = 60 * 1024
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()


class Page(html.parser.HTMLParser):
    """Captions and numbers of a page's source."""

    def __init__(self, text):
        super().__init__()
        self.captions, self.numbers, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "data-v" in values:
            self.numbers += [float(number) for number in values["data-v"].split()]
        if tag == "caption":
            self.inside = True
            self.captions.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "caption"

    def handle_data(self, data):
        if self.inside:
            self.captions[-1] += data


def numbers(value):
    """Every number of a JSON value."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        yield float(value)
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)


class Known:
    """The numbers of data.json; pages write six significant digits."""

    def __init__(self, site):
        self.sorted = sorted(set(numbers(json.loads((site / "data.json").read_text()))))

    def __contains__(self, number):
        room = abs(number) * 5.1e-6
        place = bisect.bisect_left(self.sorted, number - room)
        return place < len(self.sorted) and self.sorted[place] <= number + room


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


def printed(driver):
    pdf = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(base64.b64decode(pdf["data"]))
        file.flush()
        text = subprocess.run(["pdftotext", "-layout", file.name, "-"], capture_output=True, check=True, text=True).stdout
    return squeezed(text)


def squeezed(text):
    return re.sub(r"\s+", "", text)


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
    for number in page.numbers:
        if number not in known:
            yield f"{number} is not in data.json"
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
        if width == 360:
            shoot(driver, folder, f"{name}-narrow")
    look(driver, 1200, "dark")
    paper = printed(driver)
    for caption in page.captions:
        if caption.isascii() and squeezed(caption) not in paper:
            yield f"not printed: {caption}"


def main():
    site = pathlib.Path(sys.argv[1])
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    driver, known, faults, pages = browser(), Known(site), 0, sorted(p.relative_to(site) for p in site.rglob("*.html"))
    try:
        for path in pages:
            for fault in check(driver, site, path, known, folder):
                faults += 1
                print(f"{path}: {fault}")
    finally:
        driver.quit()
    print(f"{len(pages)} pages, {faults} faults")
    sys.exit(1 if faults or not pages else 0)


main()
