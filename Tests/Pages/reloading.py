"""A real browser stops a served page from loading itself again, goes on to another page, and lets it load again.

usage: reloading.py PROGRAM DATABASE
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

from selenium.webdriver.common.by import By

from access import access
from chrome import axe, browser, look


def refresh(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.headers["Refresh"]


def made(url):
    """Waits for the first pages."""
    for _ in range(600):
        try:
            return refresh(url)
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{url}: no pages")


def follow(driver, words):
    driver.find_element(By.LINK_TEXT, words).click()
    return driver.current_url


def faults(driver, url):
    assert made(url) == "300", url
    look(driver, 1200, "light")
    driver.get_log("browser")
    driver.get(url)
    yield from axe(driver)
    yield from access(driver, url)
    look(driver, 1200, "light")
    driver.get(url)
    still = follow(driver, "Stop reloading")
    if not still.endswith("/?reload=off") or refresh(still):
        yield f"{still} loads itself again"
    yield from axe(driver)
    yield from access(driver, still)
    look(driver, 1200, "light")
    driver.get(still)
    other = follow(driver, "Silent push")
    if not other.endswith("/push.html?reload=off") or refresh(other):
        yield f"{other} loads itself again"
    again = follow(driver, "Reload again")
    if not again.endswith("/push.html?reload=on") or refresh(again) != "300":
        yield f"{again} does not load itself again"
    yield from (entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"])


def main(program, database):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        site = pathlib.Path(folder) / "site"
        service = subprocess.Popen(
            [program, "serve", "--db", database, "--listen", "127.0.0.1:0", "--reports", str(site)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        driver = browser()
        try:
            url = re.search(r"http://\S+:\d+", service.stdout.readline()).group() + "/"
            found = list(faults(driver, url))
            found += [f"{file} has the switch" for file in site.rglob("*.html") if "reload=" in file.read_text()]
        finally:
            driver.quit()
            service.terminate()
            service.wait(60)
    print("\n".join(found) or "reloading: stopped, kept from page to page, and begun again")
    sys.exit(bool(found))


main(*sys.argv[1:])
