"""A real browser: what it shows, asks for, prints, and hides."""
import base64
import importlib.resources
import json
import re
import subprocess
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()


def browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    # Other suites run beside this one.
    driver.set_script_timeout(180)
    return driver


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


def axe(driver):
    driver.execute_script(AXE)
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then(r => done(r.violations)).catch(e => done([{id: String(e), nodes: []}]))")
    return [f"{one['id']}: {[n['html'][:120] for n in one['nodes'][:3]]}" for one in found]


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
    "torn": """
      const torn = [];
      for (const cell of document.querySelectorAll('main th')) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        // Of names nobody knows where they may break.
        while (texts.nextNode()) for (const word of /^[a-z →,]+$/i.test(texts.currentNode.data) ? texts.currentNode.data.matchAll(/[a-z]{3,18}/gi) : []) {
          const range = document.createRange();
          range.setStart(texts.currentNode, word.index);
          range.setEnd(texts.currentNode, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map(box => Math.round(box.y))).size > 1) torn.push('torn on paper: ' + word[0]);
        }
      }
      return torn""",
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
    yield from driver.execute_script(LAYOUT["cut"]) + driver.execute_script(LAYOUT["torn"])
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
