"""A continuous copy: what a loss of the machine costs is what it said it was behind; it is whole or refused, at every moment."""
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

import boto3

from figures import figures
from fleet import Fleet
from service import PATIENCE, PROGRAM, Client, Service, eventually, free_port, in_threads, scaled, scratch
from test_disk import resize, small_disk

ROUNDS = scaled(3, 60)


def run(*words, **rest):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, **rest)


class TimedFleet(Fleet):
    """Also knows when each event was answered."""

    def __init__(self, **rest):
        super().__init__(**rest)
        self.answered_at = {}

    def send(self, client, numbers=None):
        numbers = numbers or self.take()
        answer = super().send(client, numbers)
        if answer.status == 200:
            now = time.time()
            self.answered_at.update((number, now) for number in numbers)
        return answer

    def answered_before(self, moment):
        return {number for number, at in list(self.answered_at.items()) if at < moment}


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def is_running(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Copies(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.copy = self.directory / "copy"

    def tearDown(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def restore(self, *options, copy=None, name="restored.db", status=0, environment=None):
        """Answers the file and what was said of it."""
        restored = self.directory / name
        restored.unlink(missing_ok=True)
        done = run("restore", copy or self.copy, "--db", restored, "--json", *options, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        return (restored, json.loads(done.stdout)["data"][0]) if status == 0 else (restored, done.stderr)

    def check(self, fleet, restored, said):
        """All that was answered before its moment is in it, and nothing that nobody sent."""
        stored = fleet.check_whole(self, restored)
        missing = fleet.answered_before(seconds(said["asOf"])) - stored
        self.assertEqual(missing, set(), f"{len(missing)} events that were answered before {said['asOf']} are missing")
        self.assertEqual(run("doctor", "--db", restored, "--full").returncode, 0)
        return stored

    def load(self, service, fleet, threads=2):
        return in_threads(threads, lambda _: fleet.send_until_gone(service.port))

    def has_all(self, service):
        """Whether everything was in the copy once."""
        return service.metric("uptake_replica_last_success_timestamp_seconds") > 0

    def parts(self):
        return sorted(path for path in self.copy.glob("*/*") if path.name[-2:] in ("-c", "-p"))


class Killed(Copies):
    def lose(self, number):
        """Kills a service under load; answers how far its copy was behind by its own words, and by what is missing."""
        fleet, self.copy = TimedFleet(), self.directory / f"copy-{number}"
        with Service("--replicate", self.copy, "--fold-after", "200ms", directory=scratch()) as service:
            threads = self.load(service, fleet)
            self.assertTrue(eventually(lambda: self.has_all(service)))
            time.sleep(random.Random(number).uniform(1, 4))
            lag = service.metric("uptake_replica_lag_seconds")
            killed = time.time()
            service.kill()
            for thread in threads:
                thread.join(60)
            restored, said = self.restore(name=f"restored-{number}.db")
            stored = self.check(fleet, restored, said)
            behind = killed - seconds(said["asOf"])
            self.assertLess(behind, lag + 15 if lag else 15)
            lost = fleet.acknowledged - stored
            self.assertEqual({n for n in lost if fleet.answered_at[n] < killed - behind}, set())
            surveys = service.logged("copy_failed")
            self.assertEqual(surveys, [])
        return behind, len(lost), len(fleet.acknowledged)

    def test_what_is_lost_with_a_machine_came_after_the_moment_that_the_copy_names(self):
        losses = [self.lose(number) for number in range(ROUNDS)]
        figures(copies={
            "killed": len(losses), "mostSecondsBehind": round(max(behind for behind, _, _ in losses), 1),
            "answered": sum(answered for _, _, answered in losses), "lost": sum(lost for _, lost, _ in losses)})

    def test_a_process_of_its_own_copies_beside_a_service(self):
        fleet = TimedFleet()
        with Service("--fold-after", "200ms", directory=scratch()) as service:
            self.load(service, fleet)
            copying = subprocess.Popen([PROGRAM, "replicate", "--db", service.database, "--to", self.copy, "--every", "200ms"])
            try:
                self.assertTrue(eventually(lambda: len(fleet.acknowledged) > 4000 and self.parts(), 2 * PATIENCE))
                time.sleep(2)
                moments = [time.time()]
                copying.send_signal(signal.SIGKILL)
            finally:
                copying.wait()
            restored, said = self.restore()
            self.check(fleet, restored, said)
            self.assertLess(moments[0] - seconds(said["asOf"]), 15)
            # The next one goes on where that one ended.
            before = len(self.parts())
            done = run("replicate", "--db", service.database, "--to", self.copy, "--once")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(len(self.parts()), before)
            self.assertEqual(len({path.parent for path in self.parts()}), 1, "a new generation was begun")
            self.check(fleet, *self.restore())

    def test_stopped_in_order_nothing_is_lost(self):
        fleet = TimedFleet()
        with Service("--replicate", self.copy, directory=scratch()) as service:
            client = Client(service.port)
            for _ in range(20):
                fleet.send(client)
            self.assertEqual(service.stop(), 0)
            restored, said = self.restore()
            self.assertEqual(self.check(fleet, restored, said), fleet.acknowledged)


class Moments(Copies):
    def test_any_moment_can_be_restored(self):
        fleet = TimedFleet()
        with Service("--replicate", self.copy, "--fold-after", "200ms", directory=scratch()) as service:
            self.load(service, fleet, threads=1)
            self.assertTrue(eventually(lambda: len(self.parts()) >= 6))
        moments = [int(path.name.split("-")[1]) / 1000 for path in self.parts() if path.name.endswith("-c")]
        counts = []
        for moment in moments[:: max(1, len(moments) // 4)]:
            at = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
            restored, said = self.restore("--at", at)
            self.assertEqual(seconds(said["asOf"]), moment, "a whole second is said without its thousandths")
            counts.append(len(self.check(fleet, restored, said)))
        self.assertEqual(counts, sorted(counts))
        self.assertLess(counts[0], counts[-1])

    def test_a_copy_with_a_gap_or_damage_is_refused_and_says_what_is_whole(self):
        fleet = TimedFleet()
        with Service("--replicate", self.copy, directory=scratch()) as service:
            client = Client(service.port)
            self.assertTrue(eventually(self.parts))
            for _ in range(5):
                before = len(self.parts())
                fleet.send(client)
                self.assertTrue(eventually(lambda: len(self.parts()) > before))
            service.stop()
        victim = self.parts()[-2]
        whole = victim.read_bytes()
        half = len(whole) // 2
        for spoil in (lambda: victim.unlink(), lambda: victim.write_bytes(whole[:-1]),
                      lambda: victim.write_bytes(whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1:])):
            spoil()
            restored, said = self.restore(status=5)
            self.assertRegex(said, "gap|damaged")
            self.assertIn("--at", said)
            self.assertFalse(restored.exists())
            victim.write_bytes(whole)
        self.check(fleet, *self.restore())


class Targets(Copies):
    def send_some(self, service, fleet, count=10):
        client = Client(service.port)
        for _ in range(count):
            self.assertEqual(fleet.send(client).status, 200)

    def test_a_target_that_is_gone_or_full_stops_nothing_and_is_tried_again(self):
        fleet = TimedFleet()
        with small_disk(1) as place, Service("--replicate", place / "copy", directory=scratch()) as service:
            self.copy = place / "copy"
            for _ in range(300):
                self.send_some(service, fleet, 3)
                if service.logged("copy_failed"):
                    break
                time.sleep(0.2)
            failed = service.logged("copy_failed")
            self.assertTrue(failed, "the target never became full")
            self.assertIn("space", failed[0]["reason"])
            self.assertTrue(eventually(lambda: service.metric("uptake_replica_failing") == 1))
            self.send_some(service, fleet)
            resize(place, 200)
            self.assertTrue(eventually(lambda: service.logged("copy_resumed")), "it was not tried again")
            self.assertEqual(service.stop(), 0)
            self.assertEqual(self.check(fleet, *self.restore()), fleet.acknowledged)

    def test_a_folder_that_goes_away_and_comes_back_leaves_no_gap(self):
        fleet, away = TimedFleet(), self.directory / "away"
        with Service("--replicate", self.copy, directory=scratch()) as service:
            self.send_some(service, fleet)
            self.assertTrue(eventually(lambda: self.has_all(service)))
            self.copy.rename(away)
            self.send_some(service, fleet)
            self.assertTrue(eventually(lambda: service.metric("uptake_replica_failing") == 1))
            self.assertFalse(self.copy.exists(), "the folder was made anew")
            away.rename(self.copy)
            self.assertTrue(eventually(lambda: service.logged("copy_resumed")), "it was not tried again")
            self.send_some(service, fleet)
            self.assertEqual(service.stop(), 0)
            self.assertEqual(service.logged("copy_began_anew"), [])
        self.assertEqual(self.check(fleet, *self.restore()), fleet.acknowledged)

    def test_parts_that_vanished_while_it_was_away_begin_a_new_generation(self):
        fleet, away = TimedFleet(), self.directory / "away"
        with Service("--replicate", self.copy, directory=scratch()) as service:
            self.send_some(service, fleet)
            self.assertTrue(eventually(lambda: self.has_all(service)))
            self.copy.rename(away)
            self.copy.mkdir()
            self.send_some(service, fleet)
            self.assertTrue(eventually(lambda: service.logged("copy_began_anew")), "nobody noticed")
            self.send_some(service, fleet)
            self.assertEqual(service.stop(), 0)
        self.assertEqual(self.check(fleet, *self.restore()), fleet.acknowledged)

    def test_a_command_gets_each_object_whole(self):
        fleet, store = TimedFleet(), self.directory / "stored"
        command = f'exec:mkdir -p "{store}/$(dirname "$UPTAKE_OBJECT")" && cat > "{store}/$UPTAKE_OBJECT"'
        with Service("--replicate", command, directory=scratch()) as service:
            self.send_some(service, fleet)
            self.assertEqual(service.stop(), 0)
        self.assertEqual(self.check(fleet, *self.restore(copy=store)), fleet.acknowledged)
        _, said = self.restore(copy="exec:cat", status=2)
        self.assertIn("written only", said)

    def test_a_command_that_hangs_does_not_outlive_the_service(self):
        begun = self.directory / "begun"
        fleet = TimedFleet()
        with Service("--replicate", f'exec:cat >/dev/null; sleep 987654 & echo $! >> "{begun}"; wait', directory=scratch()) as service:
            self.send_some(service, fleet)
            self.assertTrue(eventually(begun.exists))
            self.assertEqual(service.stop(), 0)
        for number in begun.read_text().split():
            self.assertTrue(eventually(lambda: not is_running(int(number))), "the command outlived the service")

    def test_one_process_copies_a_database(self):
        with Service("--replicate", self.copy, directory=scratch()) as service:
            self.assertTrue(eventually(self.parts))
            done = run("replicate", "--db", service.database, "--to", self.directory / "other", "--once")
            self.assertEqual(done.returncode, 1)
            self.assertIn("copied by another process", done.stderr)


class Bucket(Copies):
    """moto's server, which holds each request against the signature that botocore makes of it
    (moto 5, moto/iam/access_control.py, `S3IAMRequest.check_signature`)."""

    SET_UP = 4

    def setUp(self):
        super().setUp()
        port = free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        self.server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(self.SET_UP)})
        self.assertTrue(eventually(lambda: self.listens(port)), "moto does not listen")
        rest = {"endpoint_url": self.endpoint, "region_name": "eu-central-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
        iam = boto3.client("iam", **rest)
        iam.create_user(UserName="u")
        policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        iam.put_user_policy(UserName="u", PolicyName="p", PolicyDocument=json.dumps(policy))
        key = iam.create_access_key(UserName="u")["AccessKey"]
        boto3.client("s3", **rest).create_bucket(Bucket="backups", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        self.s3 = boto3.client("s3", endpoint_url=self.endpoint, region_name="eu-central-1", aws_access_key_id=key["AccessKeyId"],
                               aws_secret_access_key=key["SecretAccessKey"])
        self.environment = {
            "AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"], "AWS_REGION": "eu-central-1",
            "AWS_ENDPOINT_URL": self.endpoint}
        self.copy = "s3://backups/some/place"

    def tearDown(self):
        self.server.kill()
        self.server.wait()
        super().tearDown()

    @staticmethod
    def listens(port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def serve_some(self, fleet, directory):
        service = Service("--replicate", self.copy, directory=directory, environment=self.environment)
        self.addCleanup(service.end)
        client = Client(service.port)
        for _ in range(20):
            self.assertEqual(fleet.send(client).status, 200)
            time.sleep(0.1)
        self.assertEqual(service.stop(), 0)
        self.assertEqual(service.logged("copy_failed"), [])
        self.assertEqual(self.check(fleet, *self.restore(environment=self.environment)), fleet.acknowledged)

    def generations(self):
        keys = self.s3.list_objects_v2(Bucket="backups", Prefix="some/place/")["Contents"]
        return {key["Key"].split("/")[2] for key in keys}

    def test_a_copy_in_a_bucket_is_whole_and_is_gone_on_with(self):
        fleet, directory = TimedFleet(), scratch()
        self.serve_some(fleet, directory)
        self.serve_some(fleet, directory)
        self.assertEqual(len(self.generations()), 1)
        # A machine that was cloned does not write into the same one.
        clone = scratch()
        shutil.copytree(directory, clone, dirs_exist_ok=True)
        self.serve_some(fleet, clone)
        self.assertEqual(len(self.generations()), 2)

    def test_who_may_not_write_is_told_why_and_the_service_goes_on(self):
        wrong = {**self.environment, "AWS_SECRET_ACCESS_KEY": "wrong"}
        with Service("--replicate", self.copy, environment=wrong, directory=scratch()) as service:
            self.assertTrue(eventually(lambda: service.logged("copy_failed")))
            self.assertRegex(service.logged("copy_failed")[0]["reason"], "403 SignatureDoesNotMatch")
            self.assertEqual(TimedFleet().send(Client(service.port)).status, 200)
        _, said = self.restore(status=1, environment=wrong)
        self.assertIn("403", said)

    def test_a_bucket_that_is_not_there_and_an_address_that_is_none(self):
        _, said = self.restore(copy="s3://other/x", status=1, environment=self.environment)
        self.assertRegex(said, "404 NoSuchBucket")
        _, said = self.restore(copy="s3://backups/a b", status=2, environment=self.environment)
        self.assertIn("only letters", said)


if __name__ == "__main__":
    unittest.main()
