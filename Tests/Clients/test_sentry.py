"""Sentry's own SDK, sending breadcrumbs with an event."""

import unittest

import sentry_sdk
from sentry_sdk import logger
from sentry_sdk.transport import HttpTransport

from service import Service, run


#: Without it the SDK compresses as it finds libraries: with brotli, where that is installed.
GZIP = {"transport_compression_algo": "gzip"}
BROTLI = {"transport_compression_algo": "br"}


class Answers(HttpTransport):
    """The SDK's transport, which also keeps what it was answered."""

    statuses = []

    def on_dropped_event(self, reason):
        self.statuses.append(reason)
        super().on_dropped_event(reason)


def send(service, key, crumbs, event="Rollout looks fine", compression=GZIP, path=""):
    Answers.statuses = []
    sentry_sdk.init(
        dsn=f"http://{key}@127.0.0.1:{service.port}{path}/42", transport=Answers, default_integrations=False, _experiments=compression,
        release="com.example.app@4.2.0+120", environment="production")
    with sentry_sdk.isolation_scope() as scope:
        scope.set_user({"id": "install-7"})
        scope.set_tag("ota.channel", "beta")
        scope.set_context("os", {"name": "Android", "version": "14"})
        for crumb in crumbs:
            scope.add_breadcrumb(crumb)
        identity = sentry_sdk.capture_message(event)
        sentry_sdk.flush(timeout=60)
    sentry_sdk.get_client().close(timeout=60)
    return identity


LIFE = [
    {"type": "silentPush", "category": "swiftpatch", "data": {"event": "download-complete", "releaseHash": "h2"}},
    {"type": "silentPush", "category": "swiftpatch", "data": {"event": "update-ready", "releaseHash": "h2"}},
    {"category": "console", "message": "ready"},
    {"category": "ota.applied", "data": {"mechanism": "foreground", "release": "h2"}},
]
STORED = ["downloadCompleted h2 silentPush", "ready h2 silentPush", "applied h2 foreground"]


class RealClient(unittest.TestCase):
    def test_breadcrumbs_become_events_of_the_device(self):
        with Service() as service:
            self.assertIsNotNone(send(service, "anykey", LIFE))
            self.assertEqual(service.stored(), STORED)
            self.assertEqual(
                set(service.stored("app, channel, platform, osVersion, appVersion")),
                {"com.example.app beta android 14 4.2.0"})
            self.assertEqual(service.dropped("sentry")["other_breadcrumb"], 1)
            self.assertEqual(Answers.statuses, [])

    def test_brotli_is_read(self):
        import brotli
        with Service() as service:
            self.assertIsNotNone(send(service, "anykey", LIFE, compression=BROTLI))
            self.assertEqual((service.stored(), Answers.statuses), (STORED, []))
            for body, status in [(brotli.compress(b"{}\n"), 200), (brotli.compress(b"{}\n")[:-1], 400), (b"", 400),
                                 (b"no brotli", 400), (brotli.compress(bytes(80 << 20), quality=1), 413)]:
                self.assertEqual(service.ask("/api/1/envelope/", body, {"Content-Encoding": "br"})[0], status)

    def test_a_second_event_repeats_its_breadcrumbs_and_nothing_is_counted_twice(self):
        with Service() as service:
            sentry_sdk.init(dsn=f"http://k@127.0.0.1:{service.port}/42", default_integrations=False, _experiments=GZIP)
            with sentry_sdk.isolation_scope() as scope:
                scope.set_user({"id": "install-7"})
                scope.add_breadcrumb(LIFE[0])
                sentry_sdk.capture_message("first")
                sentry_sdk.flush(timeout=60)
                scope.add_breadcrumb(LIFE[1])
                sentry_sdk.capture_message("second")
                sentry_sdk.flush(timeout=60)
            self.assertEqual(service.stored(), STORED[:2])

    def test_an_exception_and_a_transaction_carry_breadcrumbs_too(self):
        with Service() as service:
            sentry_sdk.init(
                dsn=f"http://k@127.0.0.1:{service.port}/42", default_integrations=False, traces_sample_rate=1.0,
                _experiments=GZIP)
            with sentry_sdk.isolation_scope() as scope:
                scope.set_user({"id": "install-7"})
                scope.add_breadcrumb(LIFE[3])
                try:
                    raise RuntimeError("boot loop")
                except RuntimeError:
                    sentry_sdk.capture_exception()
                with sentry_sdk.start_transaction(name="launch", op="app"):
                    pass
                sentry_sdk.flush(timeout=60)
            self.assertEqual(set(service.stored()), {STORED[2]})

    def test_a_dsn_may_have_a_path(self):
        with Service() as service:
            for path in ("/sentry", "/behind/a/proxy"):
                self.assertIsNotNone(send(service, "anykey", LIFE, path=path))
            self.assertEqual((set(service.stored()), Answers.statuses), (set(STORED), []))
            self.assertEqual(service.ask("/api/x/y/42/envelope/", b"{}\n")[0], 404)

    def test_logs_that_name_stage_and_mechanism(self):
        with Service() as service:
            sentry_sdk.init(
                dsn=f"http://k@127.0.0.1:{service.port}/42", default_integrations=False, _experiments=GZIP, enable_logs=True,
                release="com.example.app@4.2.0+120")
            who = {"app.installation.id": "install-7"}
            logger.info("update moves on", attributes=who | {
                "ota.stage": "ready", "ota.mechanism": "silentPush", "ota.release": "h2"})
            logger.warning("ready", attributes=who)
            sentry_sdk.flush(timeout=60)
            self.assertEqual(service.stored(), ["ready h2 silentPush"])
            self.assertEqual(service.stored("app, appVersion"), ["com.example.app 4.2.0"])
            self.assertEqual(service.dropped("sentry"), {"item_log": 1})

    def test_keys(self):
        with Service() as service:
            run("key", "create", "--db", service.database, "--app", "com.example.other", "--for", "sentry:0123abcd")
            key = service.require_key()
            send(service, "nobody", LIFE)
            self.assertEqual(set(Answers.statuses), {"status_403"})
            send(service, key, LIFE)
            send(service, "0123abcd", LIFE)
            self.assertEqual(Answers.statuses, [])
            self.assertEqual(set(service.stored("app")), {"com.example.demo", "com.example.other"})


if __name__ == "__main__":
    unittest.main()
