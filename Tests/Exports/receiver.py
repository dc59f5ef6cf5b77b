"""A receiver on loopback that keeps every request, and answers what it is told to."""
import gzip
import http.server
import json
import threading


class Request:
    def __init__(self, handler, body):
        self.method, self.path, self.headers, self.packed = handler.command, handler.path, handler.headers, body
        self.body = gzip.decompress(body) if handler.headers.get("Content-Encoding") == "gzip" else body

    @property
    def json(self):
        return json.loads(self.body)


class Receiver:
    def __init__(self, answer=None):
        """`answer` takes a request and gives status, headers and body."""
        receiver = self
        self.requests, self.lock = [], threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = Request(self, body)
                with receiver.lock:
                    receiver.requests.append(request)
                status, headers, text = answer(request) if answer else (200, {}, "{}")
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text.encode())
                except ConnectionError:
                    pass

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def place(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def dsn(self, key="0123456789abcdef0123456789abcdef", project=7):
        return f"http://{key}@127.0.0.1:{self.server.server_port}/{project}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
