"""The current ClickHouse, embedded (chdb), behind the part of ClickHouse's HTTP interface that programs here speak.

Started with the Python that has chdb: `embedded.py FOLDER`; prints its port. Statements run one at a time."""

import gzip
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from cluster import PASSWORD

# What a server is told beside the statement, and what is none of the engine's business.
NOT_SETTINGS = {"query", "query_id", "wait_end_of_query"}
CODE = re.compile(r"Code: ([0-9]+)")


class Engine:
    def __init__(self, folder):
        from chdb import session

        self.session, self.folder, self.turn = session.Session(os.path.join(folder, "data")), folder, threading.Lock()

    def run(self, sql, settings, body):
        with self.turn:
            if body is None:
                return self.session.query(self.with_settings(sql, settings), "TabSeparated").bytes()
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".gz") as rows:
                rows.write(gzip.compress(body, 1))
                rows.flush()
                into, form = re.fullmatch(r"(INSERT INTO \S+) FORMAT (\w+)", sql).groups()
                chosen = self.with_settings(f"{into} FROM INFILE '{rows.name}' COMPRESSION 'gzip'", settings)
                return self.session.query(f"{chosen} FORMAT {form}", "TabSeparated").bytes()

    @staticmethod
    def with_settings(sql, settings):
        """After the statement, before its FORMAT; statements that only change tables take none."""
        if not settings or not sql.startswith(("SELECT", "INSERT", "WITH")):
            return sql
        words = " SETTINGS " + ", ".join(f"{name} = {value if value.isdigit() else repr(value)}" for name, value in settings)
        if " VALUES " in sql:
            into, values = sql.split(" VALUES ", 1)
            return f"{into}{words} VALUES {values}"
        head, form, tail = sql.rpartition(" FORMAT ")
        return head + words + form + tail if form else sql + words


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine = None

    def do_GET(self):
        self.answer(200, b"Ok.\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("X-ClickHouse-Key") != PASSWORD:
            return self.answer(516, b"Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query, keep_blank_values=True)
        settings = [(name, values[0]) for name, values in asked.items() if name not in NOT_SETTINGS]
        statement = asked["query"][0] if "query" in asked else body.decode()
        try:
            self.answer(200, self.engine.run(statement, settings, body if "query" in asked else None))
        except Exception as error:
            self.answer(500, f"{error}".encode())

    def answer(self, status, body):
        self.send_response(403 if status == 516 else status)
        if status != 200:
            found = CODE.search(body.decode(errors="replace"))
            self.send_header("X-ClickHouse-Exception-Code", found[1] if found else "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class EmbeddedServer:
    """In a process of its own, from PYTHON: the tests' own needs no more than the standard library."""

    def __init__(self, python, folder):
        # Its output is a pipe: what the engine itself prints goes to the other one.
        self.process = subprocess.Popen([python, "-B", __file__, str(folder)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def address(self, database):
        return f"clickhouse://uptake@127.0.0.1:{self.port}/{database}"

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def main(folder):
    Handler.engine = Engine(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
