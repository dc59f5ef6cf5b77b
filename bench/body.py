#!/usr/bin/env python3
"""Prints a request body for bench/load: N events as phones send them, five in a row from one device.

usage: body.py N        one event is an object, more are an array; {{n}} is what the load generator counts up
"""
import json
import sys

STAGES = ["check", "available", "downloadStarted", "downloadCompleted", "ready"]


def event(number):
    device, step = divmod(number, len(STAGES))
    fields = {
        "id": "{{n}}-7c1e", "device": "6f1a671c-9e0b-4c1d-8a2f-%s" % ("{{n}}" if step == 0 else "%012d" % device),
        "app": "com.example.shop", "channel": "production", "platform": "android" if device % 3 == 0 else "ios",
        "osVersion": "17.%d" % (device % 5), "appVersion": "5.1.%d" % (device % 4), "stage": STAGES[step],
        "trigger": "silentPush" if device % 2 == 0 else "bgRefresh", "release": "2.0.%d" % (device % 2),
        "at": 1_750_000_000_000 + number * 37, "durationMs": 800 + number % 4000,
    }
    return json.dumps(fields, separators=(",", ":"))


count = int(sys.argv[1])
sys.stdout.write(event(0) if count == 1 else "[" + ",".join(event(n) for n in range(count)) + "]")
