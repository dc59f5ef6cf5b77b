"""A proxy before a server that does harm to requests which hold events: once for each word it was given."""

import http.client
import http.server
import threading
import time


class Proxy:
    """`harms`, in turn: "lose" hands the request on and loses the answer, "cut" hands on the first half of the body and ends
    both connections, "wait" holds the request back until `release` is called."""

    def __init__(self, port):
        self.harms, self.seen, self.held, self.go = [], 0, threading.Event(), threading.Event()
        # What was asked; bodies of rows are not text.
        self.statements = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                proxy.statements.append(body.decode(errors="replace"))
                harm = None
                if "inlet" in self.path:
                    proxy.seen += 1
                    harm = proxy.harms.pop(0) if proxy.harms else None
                if harm == "wait":
                    proxy.held.set()
                    proxy.go.wait(60)
                upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                upstream.putrequest("POST", self.path)
                for name, value in self.headers.items():
                    if name.lower() not in ("host", "connection"):
                        upstream.putheader(name, value)
                upstream.endheaders()
                upstream.send(body[:len(body) // 2] if harm == "cut" else body)
                if harm == "cut":
                    time.sleep(0.05)
                    upstream.close()
                    return
                answer = upstream.getresponse()
                text = answer.read()
                if harm == "lose":
                    return
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

            def handle(self):
                try:
                    super().handle()
                except (ConnectionError, BrokenPipeError):
                    pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def release(self):
        self.go.set()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
