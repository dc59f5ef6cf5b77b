"""Requests beside those that the vendors' own clients make of the same facts, each sent to a receiver on loopback."""
import os
import subprocess
import urllib.parse

import urllib3
from datadog_api_client import ApiClient, Configuration
from datadog_api_client.model_utils import validate_and_convert_types
from datadog_api_client.v1.api.events_api import EventsApi
from datadog_api_client.v1.model.event_create_request import EventCreateRequest
from datadog_api_client.v2.api.metrics_api import MetricsApi
from datadog_api_client.v2.model.metric_payload import MetricPayload
from datadog_api_client.v2.model.metric_point import MetricPoint
from datadog_api_client.v2.model.metric_series import MetricSeries
from grafana_client import GrafanaApi, TokenAuth
from newrelic_telemetry_sdk import Event, EventClient

from bugsink import TOOLS
from fleet import APP, Fleet, FleetTest, instant
from receiver import Receiver

SECRET = "0123456789abcdef"


class NewRelicClient(EventClient):
    """Without TLS."""
    POOL_CLS = urllib3.HTTPConnectionPool


class Vendors(FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = Fleet(instant())
        cls.addClassCleanup(cls.shared.close)

    def receiver(self):
        receiver = Receiver(lambda request: (202, {"Content-Type": "application/json"}, "{}"))
        self.addCleanup(receiver.close)
        return receiver

    def ours(self, target, variable, *more):
        receiver = self.receiver()
        self.shared.export(target, "--send", "--to", receiver.place, *more, environment={variable: SECRET})
        self.assertTrue(receiver.requests)
        return receiver.requests

    def same(self, ours, theirs, *headers):
        """Method, path, the headers that matter, and every value of the body that is not null."""
        self.assertEqual((ours.method, urllib.parse.unquote(ours.path)), (theirs.method, urllib.parse.unquote(theirs.path)))
        for name in headers:
            self.assertEqual(ours.headers[name], theirs.headers[name], name)
        self.assertEqual(theirs.headers["Content-Type"].split(";")[0], ours.headers["Content-Type"])
        self.assertEqual(ours.json, without_nulls(theirs.json))

    def test_datadogs_client_makes_the_same_requests(self):
        """Each body through the classes that are made from Datadog's OpenAPI: types, limits, words of lists."""
        requests = self.ours("datadog", "DD_API_KEY")
        receiver = self.receiver()
        settings = Configuration(host=receiver.place)
        settings.api_key["apiKeyAuth"] = SECRET
        with ApiClient(settings) as client:
            for request in requests:
                if request.path == "/api/v1/events":
                    EventsApi(client).create_event(body=model(EventCreateRequest, request.json, settings))
                else:
                    series = [{**row, "points": [model(MetricPoint, point, settings) for point in row["points"]]}
                              for row in request.json["series"]]
                    MetricsApi(client).submit_metrics(
                        body=MetricPayload(series=[model(MetricSeries, row, settings) for row in series]))
        self.assertEqual({request.path for request in requests}, {"/api/v1/events", "/api/v2/series"})
        for ours, theirs in zip(requests, receiver.requests, strict=True):
            self.same(ours, theirs, "DD-API-KEY")
        with self.assertRaises(Exception):
            model(EventCreateRequest, {**requests[0].json, "date_happened": "yesterday"}, settings)

    def test_new_relics_client_makes_the_same_requests(self):
        """But for the number of the account in the path, which the Event API has and the client does not know."""
        requests = self.ours("newrelic", "NEW_RELIC_LICENSE_KEY", "--account", "123")
        receiver = self.receiver()
        client = NewRelicClient(SECRET, "127.0.0.1", receiver.server.server_port)
        for request in requests:
            tags = dict(request.json[0])
            client.send_batch([Event(tags.pop("eventType"), timestamp_ms=tags.pop("timestamp"), tags=tags)])
            self.assertTrue(all(isinstance(value, (str, int, float)) for value in tags.values()))
        client.close()
        for ours, theirs in zip(requests, receiver.requests, strict=True):
            self.assertEqual(ours.path, "/v1/accounts/123/events")
            ours.path = theirs.path
            self.same(ours, theirs, "Api-Key", "Content-Encoding")

    def test_a_client_of_grafana_makes_the_same_requests(self):
        requests = self.ours("grafana", "GRAFANA_TOKEN")
        receiver = self.receiver()
        client = GrafanaApi(TokenAuth(SECRET), host="127.0.0.1", port=receiver.server.server_port, protocol="http")
        for request in requests:
            body = request.json
            client.annotations.add_annotation(time_from=body["time"], tags=body["tags"], text=body["text"])
        for ours, theirs in zip(requests, receiver.requests, strict=True):
            self.same(ours, theirs, "Authorization")

    def test_sentry_cli_makes_the_same_releases_and_deploys(self):
        requests = self.ours("sentry-releases", "SENTRY_AUTH_TOKEN", "--organization", "acme", "--project", "shop")
        release, deploy = requests[1], requests[-1]
        self.assertEqual(release.json["version"], f"{APP}@2.0.0")
        receiver = self.receiver()
        version, body = release.json["version"], deploy.json
        self.cli(receiver, "releases", "new", version)
        self.cli(receiver, "releases", "finalize", version, "--released", seconds(release.json["dateReleased"]))
        self.cli(receiver, "deploys", "new", "--release", version, "--env", body["environment"], "--name", body["name"],
                 "--started", seconds(body["dateStarted"]), "--finished", seconds(body["dateFinished"]))
        new, finalized, deployed = receiver.requests
        # Ours is a release that is out already: what the client says in two requests, in one.
        self.assertEqual((release.method, release.path), (new.method, new.path))
        self.assertEqual(release.json, {"version": new.json["version"], **finalized.json})
        self.assertEqual(new.json["projects"], release.json["projects"])
        # The client leaves the projects away, which Sentry's OpenAPI has: the release may be in several.
        self.assertEqual(body.pop("projects"), ["shop"])
        self.assertEqual((deploy.method, urllib.parse.unquote(deploy.path)), (deployed.method, urllib.parse.unquote(deployed.path)))
        self.assertEqual(body, without_nulls(deployed.json))
        for ours, theirs in ((release, new), (deploy, deployed)):
            for name in ("Authorization", "Content-Type"):
                self.assertEqual(ours.headers[name], theirs.headers[name])

    def cli(self, receiver, *words):
        """What it makes of the answer does not matter: its request does."""
        subprocess.run(
            [TOOLS / "sentry-cli", *words], capture_output=True, timeout=60, cwd=self.shared.folder.name,
            env={"PATH": os.environ["PATH"], "HOME": self.shared.folder.name, "SENTRY_URL": receiver.place,
                 "SENTRY_AUTH_TOKEN": SECRET, "SENTRY_ORG": "acme", "SENTRY_PROJECT": "shop"})


def model(kind, body, settings):
    """The body as an instance of the client's class; fields that it does not know are none."""
    unknown = set(body) - set(kind.attribute_map.values())
    assert not unknown, unknown
    made = validate_and_convert_types(body, (kind,), ["body"], True, True, configuration=settings)
    assert not made._unparsed
    return made


def without_nulls(body):
    if isinstance(body, dict):
        return {name: without_nulls(value) for name, value in body.items() if value is not None}
    return [without_nulls(value) for value in body] if isinstance(body, list) else body


def seconds(text):
    return str(int(instant(text).timestamp()))
