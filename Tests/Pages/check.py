"""Looks at a site as people do: in a real browser, in light and dark, narrow and wide, and printed.

usage: check.py SITE [--pages GLOB,...] [--shots FOLDER]
Exit 1 with a line for every fault.
"""
import argparse
import pathlib
import sys

from access import access
from chrome import axe, browser, layout, look, printed, requests, shoot, squeezed
from drawn import beside, described, newest, readings, whole
from page import Known, Page, agree

LARGEST = 60_000
MOST_SHEETS = 4


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
    yield from access(driver, file.resolve().as_uri())
    look(driver, 1200, "dark")
    paper, sheets = printed(driver, folder and folder / f"{name}.pdf")
    if sheets > MOST_SHEETS:
        yield f"{sheets} sheets of paper, over {MOST_SHEETS}"
    for caption in page.captions:
        if caption.isascii() and squeezed(caption) not in paper:
            yield f"not printed: {caption}"


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
