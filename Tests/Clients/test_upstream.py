"""In front of an update server: checks are passed on, and nobody hears of its troubles."""

import http.server
import json
import threading
import time
import unittest

from service import Service, eventually

CHECK = "/v0.1/public/codepush/update_check?deployment_key=DK&app_version=1.0.0&label=v1&client_unique_id="
OFFER = {"update_info": {"is_available": True, "label": "v2", "download_url": "https://cdn.example/v2", "package_hash": "h"}}
PATCH = {"patch_available": True, "patch": {"number": 2, "hash": "h", "download_url": "https://cdn.example/2"}}


class UpdateServer(http.server.ThreadingHTTPServer):
    """Answers as it is told to, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.status, self.answer, self.released = [], 200, OFFER, threading.Event()
        # What those that come next are told, before `status`.
        self.statuses = []
        self.authorizations, self.headers = [], []
        self.released.set()
        self.url = f"http://127.0.0.1:{self.server_port}/base"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.released.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path, self.headers.get("X-CodePush-SDK-Version"), body))
        self.server.authorizations.append(self.headers.get("Authorization"))
        self.server.headers.append(self.headers.items())
        self.server.released.wait(timeout=60)
        answer = self.server.answer if isinstance(self.server.answer, bytes) else json.dumps(self.server.answer).encode()
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else self.server.status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        try:
            self.wfile.write(answer)
        except BrokenPipeError:
            pass

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Upstream(unittest.TestCase):
    def test_the_update_servers_answer_is_the_answer(self):
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            status, headers, body = service.ask(CHECK + "d1", headers={"X-CodePush-SDK-Version": "4.2.3"})
            self.assertEqual((status, json.loads(body)), (200, OFFER))
            self.assertEqual(headers["Content-Type"], "application/json; charset=utf-8")
            self.assertEqual(server.asked, [("GET", "/base" + CHECK + "d1", "4.2.3", b"")])
            self.wait_for(lambda: len(service.stored()) == 2)
            self.assertEqual(service.stored(), ["check v1 unknown", "available v2 unknown"])

    def test_it_sees_who_asks(self):
        """Some update servers decide by the SDK's version, and block by the agent: each header is there once, as it came."""
        path = "/app-version/ios/1.0.0/production/00000000-0000-0000-0000-000000000000/00000000-0000-0000-0000-000000000000"
        sent = {"Hot-Updater-SDK-Version": "0.21.2", "User-Agent": "App/7 CFNetwork/1568", "Accept": "application/json"}
        with UpdateServer() as server, Service("--upstream", "hot-updater=" + server.url) as service:
            server.answer = None
            self.assertEqual(service.ask(path, headers=sent)[0], 200)
            got = [(name.lower(), value) for name, value in server.headers[0]]
            for name, value in sent.items():
                self.assertEqual([said for known, said in got if known == name.lower()], [value])
        # AppZung/react-native-code-push 11.0.4, src/internals/utils/requestFetchAdapter.ts: the plugin alone;
        # microsoft/react-native-code-push 9.0.1, request-fetch-adapter.js: the plugin and the SDK.
        sent = {"X-CodePush-Plugin-Name": "@appzung/react-native-code-push", "X-CodePush-Plugin-Version": "11.0.4"}
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            self.assertEqual(service.ask(CHECK + "d1", headers=sent)[0], 200)
            got = {name.lower(): value for name, value in server.headers[0]}
            self.assertEqual({name: got.get(name.lower()) for name in sent}, sent)
            self.wait_for(lambda: service.stored("sdkVersion"))
            self.assertEqual(service.stored("sdkVersion")[:1], ["11.0.4"])

    def test_a_question_with_a_body(self):
        with UpdateServer() as server, Service("--upstream", server.url) as service:
            server.answer = PATCH
            question = json.dumps({"app_id": "sb", "channel": "beta", "release_version": "1.0.0+3", "client_id": "c1"})
            status, _, body = service.ask("/api/v1/patches/check", question.encode())
            self.assertEqual((status, json.loads(body)), (200, PATCH))
            self.assertEqual(server.asked[0][1::2], ("/base/api/v1/patches/check", question.encode()))

    def test_troubles_behind_are_no_update_in_front(self):
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            for status, answer in [(500, OFFER), (404, OFFER), (302, OFFER), (200, b"x" * (2 << 20))]:
                server.status, server.answer = status, answer
                status, _, body = service.ask(CHECK + "d1")
                self.assertEqual(status, 200)
                self.assertIs(json.loads(body)["update_info"]["is_available"], False)
            server.__exit__()
            status, _, body = service.ask(CHECK + "d1")
            self.assertEqual((status, json.loads(body)["update_info"]["is_available"]), (200, False))
            self.assertGreaterEqual(service.dropped("codepush")["upstream_status"], 3)
            self.assertGreaterEqual(service.dropped("codepush")["upstream_unreachable"], 1)
            told = lambda: [line for line in service.log() if line["event"] == "upstream_failed"]
            self.wait_for(lambda: len(told()) >= 2)
            told = told()
            self.assertEqual([line["code"] for line in told], ["upstream_status", "upstream_unreachable"], "once a minute each")
            self.assertEqual((told[0]["client"], told[0]["reason"]), ("codepush", "the update server answers with status 500"))

    def test_a_server_that_fails_is_left_alone_and_then_asked_once(self):
        def offered():
            status, _, body = service.ask(CHECK + "d1")
            self.assertEqual(status, 200)
            return json.loads(body)["update_info"]["is_available"]

        def resting():
            return b'uptake_upstream_resting{dialect="codepush"} 1' in service.ask("/metrics")[2]

        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            server.status = 503
            self.assertEqual([offered() for _ in range(8)], [False] * 8)
            self.assertEqual(len(server.asked), 5)
            self.assertEqual(service.dropped("codepush")["upstream_resting"], 3)
            self.assertTrue(resting())
            time.sleep(5.5)
            server.released.clear()
            probe = threading.Thread(target=offered)
            probe.start()
            self.wait_for(lambda: len(server.asked) == 6)
            self.assertIs(offered(), False)
            self.assertEqual(len(server.asked), 6, "one question goes through, and nobody waits for it")
            server.status = 200
            server.released.set()
            probe.join(timeout=60)
            self.assertIs(offered(), True)
            self.assertFalse(resting())

    def test_a_server_that_refuses_is_up(self):
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            server.status = 404
            for _ in range(8):
                self.assertEqual(service.ask(CHECK + "d1")[0], 200)
            self.assertEqual(len(server.asked), 8)

    def test_what_is_granted_over_omaha_is_an_offer(self):
        granted = (b'<response protocol="3.0"><app appid="a" status="ok"><updatecheck status="ok"><manifest version="1.1.0"/>'
                   b'</updatecheck></app></response>')
        asking = (b'<request protocol="3.0" installsource="scheduler"><app appid="a" machineid="m1" version="1.0.0">'
                  b'<updatecheck/></app></request>')
        with UpdateServer() as server, Service("--upstream", "omaha=" + server.url) as service:
            server.answer = granted
            self.assertEqual(service.ask("/v1/update", asking)[2], granted)
            self.wait_for(lambda: len(service.stored()) == 2)
            self.assertEqual(service.stored(), ["check 1.0.0 bgRefresh", "available 1.1.0 bgRefresh"])
            # Events under way name no version: it is the one that was granted.
            for kind in (13, 14, 800):
                event = f'<event eventtype="{kind}" eventresult="1"/>'.encode()
                self.assertEqual(service.ask("/v1/update", asking.replace(b"<updatecheck/>", event))[0], 200)
            other = asking.replace(b"<updatecheck/>", event).replace(b'"m1"', b'"m2"')
            self.assertEqual(service.ask("/v1/update", other)[0], 200)
            self.assertEqual(service.stored()[2:], [
                "downloadStarted 1.1.0 bgRefresh", "downloadCompleted 1.1.0 bgRefresh", "ready 1.1.0 bgRefresh"])
            self.assertEqual(service.dropped("omaha"), {"no_release": 1})

    #: Of each client that reports to the address it asks: where to, what, and the status that is its protocol's thanks.
    REPORTS = [
        ("codepush", "/v0.1/public/codepush/report_status/deploy", {
            "deployment_key": "DK", "app_version": "1.0.0", "client_unique_id": "d", "label": "v2",
            "status": "DeploymentFailed"}, 200),
        ("codepush", "/reportStatus/download", {"deploymentKey": "DK", "clientUniqueId": "d", "label": "v2"}, 200),
        ("shorebird", "/api/v1/patches/events", {"event": {
            "app_id": "sb", "client_id": "c", "type": "__patch_install__", "patch_number": 2, "platform": "ios",
            "release_version": "1.0", "timestamp": 1709542800}}, 201),
        ("react-native-update", "/report/AK", {"type": "rollback", "hash": "h", "cInfo": {"uuid": "u"}}, 200),
        ("hot-updater", "/hot-updater/events", {
            "type": "RECOVERED", "installId": "i", "platform": "ios", "appVersion": "1", "channel": "c", "cohort": "1",
            "fromBundleId": "b2", "toBundleId": "b1"}, 204),
        ("capgo", "/stats", [{"app_id": "a", "device_id": "d", "action": "update_fail", "version_name": "2"}], 200),
    ]

    def wait_for(self, condition):
        self.assertTrue(eventually(condition), "it never came to that")

    def test_reports_reach_the_update_server_too(self):
        for name, path, report, thanks in self.REPORTS:
            with self.subTest(path=path), UpdateServer() as server, Service("--upstream", name + "=" + server.url) as service:
                body = json.dumps(report).encode()
                headers = {"Content-Type": "application/json", "Authorization": "Bearer of-the-vendor"}
                self.assertEqual(service.ask(path, body, headers)[0], thanks)
                self.assertGreaterEqual(len(service.stored()), 1)
                self.wait_for(lambda: server.asked)
                self.assertEqual([(method, path, body) for method, path, _, body in server.asked], [("POST", "/base" + path, body)])
                self.assertEqual(server.authorizations, ["Bearer of-the-vendor"])

    def test_a_report_is_passed_on_once_its_server_is_back(self):
        _, path, report, thanks = self.REPORTS[0]
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            server.statuses = [503]
            self.assertEqual(service.ask(path, json.dumps(report).encode())[0], thanks, "nobody waits for it")
            self.wait_for(lambda: len(server.asked) == 2)
            self.assertEqual(service.dropped("codepush"), {})

    def test_a_report_that_its_server_refuses_is_counted(self):
        _, path, report, thanks = self.REPORTS[0]
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            server.status = 404
            self.assertEqual(service.ask(path, json.dumps(report).encode())[0], thanks)
            self.wait_for(lambda: service.dropped("codepush"))
            self.assertEqual((len(server.asked), service.dropped("codepush")), (1, {"upstream_status": 1}))

    def test_a_key_of_ours_stays_here(self):
        _, path, report, _ = self.REPORTS[3]
        with UpdateServer() as server, Service("--upstream", server.url) as service:
            key = service.require_key()
            self.assertEqual(service.ask(path, json.dumps(report).encode(), {"Authorization": "Bearer " + key})[0], 200)
            self.wait_for(lambda: server.asked)
            self.assertEqual(server.authorizations, [None])

    def test_a_stranger_reports_to_nobody(self):
        _, path, report, _ = self.REPORTS[3]
        with UpdateServer() as server, Service("--upstream", server.url) as service:
            service.require_key()
            self.assertEqual(service.ask(path, json.dumps(report).encode())[0], 401)
            time.sleep(0.5)
            self.assertEqual(server.asked, [])

    def test_hot_updater_has_one_address_for_checks_and_reports(self):
        # gronxb/hot-updater 0.36.3, packages/react-native/src/DefaultResolver.ts, packages/server/src/handler.ts.
        paths = ["/hot-updater/app-version/ios/1.0.0/production/0198c6f4-12ab-7000-8000-000000000000/b1/42",
                 "/app-version/ios/1.0.0/production/m/b1", "/hot-updater/fingerprint/android/f0/beta/m/b1/qa"]
        with UpdateServer() as server, Service("--upstream", "hot-updater=" + server.url) as service:
            server.answer = {"id": "b2", "shouldForceUpdate": False, "status": "UPDATE", "fileUrl": "https://cdn.example/b2"}
            for path in paths:
                status, _, body = service.ask(path, headers={"Hot-Updater-SDK-Version": "0.36.3"})
                self.assertEqual((status, json.loads(body)), (200, server.answer))
            self.assertEqual([path for _, path, _, _ in server.asked], ["/base" + path for path in paths])
        with Service() as service:
            status, _, body = service.ask(paths[0])
            self.assertEqual((status, json.loads(body)), (200, None), "nothing new, as the real server says it")

    def test_hot_updater_from_1_0_on_asks_for_a_catalog_and_for_files(self):
        # gronxb/hot-updater, branch next (95d0fa42, tagged rc): packages/react-native/src/DefaultResolver.ts
        # `fetchReleaseCatalog`, `resolveArtifact`; packages/server/src/handler.ts. Anything but 200 leaves the client as it is.
        paths = ["/hot-updater/release-catalogs/app-version/default/ios/cHJvZHVjdGlvbg/1.0.0",
                 "/release-catalogs/fingerprint/default/android/YmV0YQ/f0",
                 "/hot-updater/artifacts/0198c6f4-12ab-7000-8000-000000000001/from/0198c6f4-12ab-7000-8000-000000000000"]
        with UpdateServer() as server, Service("--upstream", "hot-updater=" + server.url) as service:
            server.answer = {"schemaVersion": 1, "releases": []}
            for path in paths:
                status, _, body = service.ask(path, headers={"X-API-Key": "HU"})
                self.assertEqual((status, json.loads(body)), (200, server.answer))
            self.assertEqual([path for _, path, _, _ in server.asked], ["/base" + path for path in paths])
            server.status = 500
            self.assertEqual(service.ask(paths[0])[0], 503)
        with Service() as service:
            self.assertEqual([service.ask(path)[0] for path in paths], [503] * 3)
            self.assertEqual(service.dropped("hot-updater"), {"no_device": 3})

    def test_stallion_proves_itself_to_its_server(self):
        # stallion-tech/react-native-stallion 2.4.0 (b40a879c), android/…/networkmanager/StallionApiManager.java and
        # ios/main/StallionSyncHandler.swift: without its app's token the server offers nothing.
        sent = {"x-app-token": "spb_1", "x-sdk-pin-access-token": "pin", "uid": "d1"}
        check = {"appVersion": "4.2.0", "platform": "android", "projectId": "65f0", "appliedBundleHash": ""}
        with UpdateServer() as server, Service("--upstream", "stallion=" + server.url) as service:
            server.answer = {"success": True, "data": {"newBundleData": {"checksum": "h2"}}}
            status, _, body = service.ask("/api/v1/promoted/get-update-meta", json.dumps(check).encode(), sent)
            self.assertEqual((status, json.loads(body)), (200, server.answer))
            got = {name.lower(): value for name, value in server.headers[0]}
            self.assertEqual({name: got.get(name) for name in sent}, sent)

    def test_a_stranger_is_answered_by_the_update_server_with_what_it_said(self):
        with UpdateServer() as server, Service("--upstream", server.url) as service:
            service.require_key()
            server.answer = {"upToDate": True, "by": "upstream"}
            question = b'{"packageVersion":"1","hash":"h1","cInfo":{"uuid":"u1"}}'
            self.assertEqual(json.loads(service.ask("/checkUpdate/nobody", question)[2]), server.answer)
            self.assertEqual(server.asked[0][3], question)
            self.assertEqual((service.stored(), service.dropped("react-native-update")), ([], {"wrong_key": 1}))

    def test_a_server_that_hangs_holds_up_nobody_else(self):
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url) as service:
            server.released.clear()
            answers = []
            asking = [
                threading.Thread(target=lambda place=place: answers.append(service.ask(CHECK + str(place))))
                for place in range(40)]
            for thread in asking:
                thread.start()
            began = time.monotonic()
            for place in range(50):
                status, _, _ = service.ask("/v1/events", json.dumps(
                    {"app": "a", "device": str(place), "stage": "check"}).encode())
                self.assertEqual(status, 200)
            self.assertLess(time.monotonic() - began, 30)
            for thread in asking:
                thread.join(timeout=60)
            self.assertEqual([status for status, _, _ in answers], [200] * 40)
            for _, _, body in answers:
                self.assertIs(json.loads(body)["update_info"]["is_available"], False)

    def test_checks_pass_even_where_events_do_not(self):
        with UpdateServer() as server, Service("--upstream", "codepush=" + server.url, "--min-free", "1000000GiB") as service:
            self.wait_for(lambda: service.ask("/readyz")[0] == 503)
            status, _, body = service.ask(CHECK + "d1")
            self.assertEqual((status, json.loads(body)), (200, OFFER))


if __name__ == "__main__":
    unittest.main()
