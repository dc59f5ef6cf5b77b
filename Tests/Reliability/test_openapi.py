"""`/openapi.json` is docs/openapi.json, names every route of docs/http.md, and the service keeps to it."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from service import PROGRAM, Service, scaled, scratch

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method"
OWN = ["/v1/events", "/v1/releases", "/v1/releases/{release}", "/v1/answers/{question}", "/v1/gate", "/v1/devices/{device}",
       "/healthz", "/readyz", "/metrics", "/openapi.json"]


class OpenAPI(unittest.TestCase):
    def test_the_page_in_the_documentation_is_what_is_served(self):
        with Service() as service:
            served = service.ask("GET", "/openapi.json").body.decode()
        page = ROOT / "docs/openapi.json"
        if os.environ.get("RECORD"):
            page.write_text(served)
            self.fail("recorded; look at the difference")
        self.assertEqual(page.read_text(), served)

    def test_every_route_of_the_table_is_described(self):
        with Service() as service:
            described = service.ask("GET", "/openapi.json").json["paths"]
        told = re.findall(r"`(GET|POST|PUT|DELETE) (/v1/[^`?]*|/healthz|/readyz|/metrics|/openapi.json)`", (ROOT / "docs/http.md").read_text())
        self.assertGreater(len(told), 7)
        for method, path in told:
            self.assertIn(path, described)
            self.assertIn(method.lower(), described[path], path)
        for path in OWN:
            for operation in described[path].values():
                self.assertNotIn("another system", operation["summary"], path)

    def test_hundreds_of_made_up_requests_are_answered_as_described(self):
        directory = scratch()
        (directory / "schema").mkdir()
        seeds = directory / "events.ndjson"
        seeds.write_text("\n".join(json.dumps({"id": f"e{n}", "device": f"d{n}", "app": "a", "stage": "applied", "release": "1",
                                               "at": "2025-03-01T08:00:00Z"}) for n in range(50)))
        subprocess.run([PROGRAM, "import", "--db", directory / "uptake.db", "--quiet", seeds], check=True, capture_output=True)
        with Service(directory=directory) as service:
            words = [pathlib.Path(sys.executable).with_name("schemathesis"), "run", f"http://127.0.0.1:{service.port}/openapi.json", "--checks", CHECKS,
                     "--seed", "20250301", "--max-examples", str(scaled(50, 1000)), "--generation-database", "none",
                     "--include-path-regex", "^/(v1/(events|releases|answers|gate|arm)|healthz|readyz|metrics|openapi.json)", "--no-color", "--phases",
                     "examples,coverage,fuzzing",
                     # Of a machine that others keep busy.
                     "--request-timeout", "120", "--suppress-health-check", "too_slow"]
            run = subprocess.run(words, capture_output=True, text=True, cwd=directory)
            self.assertEqual(run.returncode, 0, run.stdout[-4000:] + run.stderr[-1000:])
            self.assertTrue(service.is_running)
            self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
