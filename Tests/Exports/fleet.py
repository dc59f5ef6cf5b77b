"""A small fleet whose answers are known beforehand, in a database made through the program."""
import contextlib
import datetime
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["UPTAKE_PROGRAM"]
APP = "com.example.shop"


def instant(text=None):
    if text:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


def words(moment):
    return moment.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run(*arguments, environment=None, check=True, **more):
    """The program as a user calls it, without any setting of this machine."""
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd="/",
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **(environment or {})}, **more)
    if check and result.returncode != 0:
        raise AssertionError(f"{arguments}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result


class Fleet:
    """Phones of one app: each channel has release 1.0.0 and, 30 hours before the present, 2.0.0 in three steps."""

    def __init__(self, now, channels=("production",), failing=("production",), devices=300, pushes=False):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-exports-", ignore_cleanup_errors=True)
        self.now, self.pushes = now, pushes
        self.database = pathlib.Path(self.folder.name) / "uptake.db"
        events = [event for channel in channels for event in self.phones(channel, channel in failing, devices)]
        run("import", "-", "--db", self.database, "--now", words(now), input="".join(events))
        for channel in channels:
            self.publish("1.0.0", channel, hours=90)
            self.publish("2.0.0", channel, hours=30, rollout="10%@0h,50%@12h,100%@24h")

    def close(self):
        self.folder.cleanup()

    def at(self, hours):
        return words(self.now - datetime.timedelta(hours=hours))

    def publish(self, release, channel, hours, rollout="100%@0h"):
        run("release", "publish", release, "--db", self.database, "--app", APP, "--channel", channel, "--at",
            self.at(hours), "--rollout", rollout)

    def phones(self, channel, fails, devices):
        """Devices look for updates all the time; three of four get it, a sixth of them fails where it fails."""
        for number in range(devices):
            phone = {"app": APP, "channel": channel, "platform": "ios", "appVersion": "4.2.0",
                     "device": f"{channel}-{number:04}"}

            def event(hours, stage, trigger, **more):
                return json.dumps({**phone, "at": self.at(hours), "stage": stage, "trigger": trigger, **more}) + "\n"

            # First attempts at the release before set the limit of failures.
            yield event(89, "downloadStarted", "bgRefresh", release="1.0.0")
            for hours in range(70, 0, -6):
                yield event(hours - number / devices, "check", "bgRefresh")
            if number % 4 == 3:
                continue
            trigger = ("silentPush", "silentPush", "bgRefresh", "foreground")[number // 4 % 4]
            hours = 1 + 28 * number / devices
            if self.pushes and trigger == "silentPush":
                yield event(hours + 0.07, "pushSent", trigger, release="2.0.0", push=f"{channel} {number}")
                if number % 8:
                    yield event(hours + 0.06, "pushReceived", trigger, release="2.0.0", push=f"{channel} {number}")
            yield event(hours + 0.05, "available", trigger, release="2.0.0")
            yield event(hours + 0.04, "downloadStarted", trigger, release="2.0.0")
            if fails and number % 6 == 1:
                yield event(hours + 0.03, "failed", trigger, release="2.0.0", reason="checksum_mismatch")
            else:
                yield event(hours + 0.02, "ready", trigger, release="2.0.0")
                yield event(hours, "applied", "foreground", release="2.0.0")

    def add(self, device, events):
        """Hours before the present, stages and releases of one more phone."""
        lines = [json.dumps({"app": APP, "channel": "production", "platform": "ios", "device": device, "at": self.at(hours),
                             "stage": stage, "release": release}) + "\n" for hours, stage, release in events]
        run("import", "-", "--db", self.database, input="".join(lines))

    def export(self, target, *arguments, environment=None, check=True):
        return run("export", target, "--db", self.database, *arguments, environment=environment, check=check)

    def change(self, sql):
        """As nothing but a test does: another program writes into the file, which has to be said."""
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            database.execute(sql)
            database.commit()
        run("doctor", "--renew-checksums", "--db", self.database)

    def count(self, table):
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def told(self, *columns):
        """Rows of what the database says was exported, read by another program."""
        result = subprocess.run(
            ["sqlite3", "-json", "-readonly", self.database, f"SELECT {','.join(columns)} FROM v1_export ORDER BY at, id"],
            capture_output=True, text=True, check=True)
        return json.loads(result.stdout or "[]")


class FleetTest(unittest.TestCase):
    def fleet(self, *arguments, **more):
        fleet = Fleet(*arguments, **more)
        self.addCleanup(fleet.close)
        return fleet
