"""The day in the dialects of update clients: first those with a clock, then those whose events happen when they arrive."""

import json

from day import APP, JSON, PAIRS, Dialect, beside, kept


class Capgo(Dialect):
    name = "capgo"
    actions = {"check": "ping", "available": "get", "downloadStarted": "download_0",
               "downloadCompleted": "download_complete", "ready": "set_next", "applied": "set",
               "confirmed": "app_launch_ready", "rolledBack": "update_fail", "failed": "checksum_fail"}
    stages = tuple(actions)

    def native(self, event):
        reasons = {"failed": "checksum_fail", "rolledBack": "update_fail"}
        more = {"reason": reasons[event["stage"]]} if event["stage"] in reasons else {}
        fields = ["osVersion"] + (["from"] if event["stage"] == "applied" else [])
        return [kept(event, *fields, device=event["device"].lower(), emulator=False, **more)]

    def requests(self, events):
        for begin in range(0, len(events), 200):
            yield "/stats", JSON, json.dumps([self.report(event) for event in events[begin:begin + 200]])

    def report(self, event):
        return {
            "app_id": APP, "device_id": event["device"], "platform": event["platform"],
            "version_os": event["osVersion"], "version_name": event.get("release", "unknown"),
            "old_version_name": event.get("from", ""), "is_prod": True, "is_emulator": False, "defaultChannel": event["channel"],
            "action": self.actions[event["stage"]], "timestamp": event["at"],
            "metadata": {"trigger": event.get("trigger", "unknown")}}


class Shorebird(Dialect):
    name = "shorebird"
    rename = {"production": "stable"}
    types = {"ready": "__patch_download__", "applied": "__patch_install__", "rolledBack": "__patch_install_failure__"}
    stages = tuple(types)

    def patch(self, event):
        return int(event["release"].replace(".", ""))

    def native(self, event):
        more = {"reason": "crash_recovery"} if event["stage"] == "rolledBack" else {}
        return [kept(event, release=f"1.0:{self.patch(event)}", at=event["at"] // 1000 * 1000, channel="stable",
                     appVersion="1.0", stage=stage, **more) for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            body = {"app_id": APP, "arch": "aarch64", "client_id": event["device"], "type": self.types[event["stage"]],
                    "patch_number": self.patch(event), "platform": event["platform"], "release_version": "1.0",
                    "timestamp": event["at"] // 1000, "message": "crash_recovery: patch failed to boot"}
            yield "/api/v1/patches/events?trigger=" + event.get("trigger", "unknown"), JSON, json.dumps({"event": body})


class CodePush(Dialect):
    name = "codepush"
    has_clock = False
    stages = ("check", "downloadCompleted", "applied", "rolledBack")

    def __init__(self):
        self.told = set()

    def native(self, event):
        more = {}
        if event["stage"] != "check":
            # A report is sent again until it is taken: of one device, release and stage only the first is an event.
            report = (event["device"], event["release"], event["stage"])
            if report in self.told:
                return []
            self.told.add(report)
            more = {"reason": "time_of_receipt"}
        pairs = PAIRS | {"downloadCompleted": ["downloadCompleted", "verified"]}
        stages = pairs[event["stage"]] if event["stage"] in ("applied", "downloadCompleted") else [event["stage"]]
        return [{name: value for name, value in kept(event, stage=stage, **more).items() if name != "platform"}
                for stage in stages]

    def requests(self, events):
        for event in events:
            headers = JSON | beside(event)
            base = {"deployment_key": "DK", "client_unique_id": event["device"], "label": event["release"]}
            path = "/v0.1/public/codepush/"
            if event["stage"] == "check":
                query = f"deployment_key=DK&app_version=1&label={event['release']}&client_unique_id={event['device']}"
                yield path + "update_check?" + query, headers, None
            elif event["stage"] == "downloadCompleted":
                yield path + "report_status/download", headers, json.dumps(base)
            else:
                status = "DeploymentSucceeded" if event["stage"] == "applied" else "DeploymentFailed"
                yield path + "report_status/deploy", headers, json.dumps(base | {"app_version": "1", "status": status})


class HotUpdater(Dialect):
    name = "hot-updater"
    has_clock = False
    types = {"check": "UNCHANGED", "ready": "UPDATE_DOWNLOADED", "applied": "UPDATE_APPLIED"}
    stages = tuple(types)

    def native(self, event):
        return [kept(event, stage=stage, appVersion="1", **({"from": "store:1"} if stage == "applied" else {}))
                for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            body = {"type": self.types[event["stage"]], "installId": event["device"], "platform": event["platform"],
                    "appVersion": "1", "channel": event["channel"], "cohort": "7", "fingerprintHash": None,
                    "fromBundleId": None, "toBundleId": event["release"], "updateStrategy": None}
            yield "/events", JSON | beside(event), json.dumps(body)


class ReactNativeUpdate(Dialect):
    name = "react-native-update"
    has_clock = False
    types = {"ready": "download_success", "applied": "mark_success", "rolledBack": "rollback"}
    stages = ("check",) + tuple(types)

    def native(self, event):
        return [kept(event, stage=stage) for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            headers = JSON | beside(event)
            body = {"hash": event["release"], "packageVersion": "1",
                    "cInfo": {"uuid": event["device"], "os": event["platform"] + " 1"}}
            if event["stage"] == "check":
                yield "/checkUpdate/AK", headers, json.dumps(body)
            else:
                yield "/report/AK", headers, json.dumps(body | {"type": self.types[event["stage"]]})


class Omaha(Dialect):
    name = "omaha"
    has_clock = False
    events = {"downloadStarted": (13, 1), "downloadCompleted": (14, 1), "ready": (800, 1), "failed": (3, 0)}
    stages = ("check",) + tuple(events)

    def native(self, event):
        trigger = event.get("trigger")
        more = {"reason": "error 9"} if event["stage"] == "failed" else {}
        return [kept(event, trigger=trigger if trigger in ("bgRefresh", "foreground") else "unknown", **more)]

    def requests(self, events):
        sources = {"bgRefresh": "scheduler", "foreground": "ondemandupdate"}
        for event in events:
            inner, version = "<updatecheck/>", event.get("release", "")
            if event["stage"] != "check":
                kind, result = self.events[event["stage"]]
                inner = (f'<event eventtype="{kind}" eventresult="{result}" errorcode="9" '
                         f'nextversion="{event["release"]}"/>')
                version = ""
            source = sources.get(event.get("trigger"), "")
            yield "/v1/update", {"Content-Type": "text/xml"}, (
                f'<request protocol="3.0" installsource="{source}"><os platform="{event["platform"]}"/>'
                f'<app appid="{APP}" machineid="{event["device"]}" version="{version}" track="{event["channel"]}">{inner}</app>'
                "</request>")
