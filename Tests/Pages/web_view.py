"""A real browser sends events from a page of another place: where the service permits that place, and where it does not.

usage: web_view.py PROGRAM
"""
import http.server
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

SEND = """
const [url, key, done] = arguments;
fetch(url, {method: "POST", headers: {"Content-Type": "application/json", "X-Uptake-Key": key},
  body: JSON.stringify({device: "d1", app: "com.example.demo", stage: "check", release: "1.0.0"})})
  .then(async answer => done([answer.status, await answer.text()]), fault => done([0, String(fault)]));
"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>app</title>")

    def log_message(self, *_):
        pass


def place():
    """Serves a page on a port of its own; the place that it is of."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]:
        options.add_argument(word)
    options.binary_location = "/usr/bin/chromium"
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    # Other suites run beside this one.
    driver.set_script_timeout(180)
    return driver


def main(program):
    permitted, other = place(), place()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database = str(pathlib.Path(folder) / "uptake.db")
        made = subprocess.run([program, "key", "create", "--app", "com.example.demo", "--scope", "ingest", "--db", database],
                              capture_output=True, text=True, check=True).stdout
        key = re.search(r"upk_\w+", made).group()
        service = subprocess.Popen(
            [program, "serve", "--db", database, "--listen", "127.0.0.1:0", "--allow-origin", permitted],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        driver = browser()
        try:
            url = re.search(r"http://\S+:\d+", service.stdout.readline()).group() + "/v1/events"
            driver.get(permitted)
            status, text = driver.execute_async_script(SEND, url, key)
            assert status == 200 and '"accepted":1' in text.replace(" ", ""), (status, text)
            status, text = driver.execute_async_script(SEND, url, "upk_wrong")
            assert status == 401 and "wrong_key" in text, (status, text)
            driver.get(other)
            status, text = driver.execute_async_script(SEND, url, key)
            assert status == 0, (status, text)
        finally:
            driver.quit()
            service.terminate()
            service.wait(60)
    print("web view: sent, refused in words, and not let in from another place")


main(sys.argv[1])
