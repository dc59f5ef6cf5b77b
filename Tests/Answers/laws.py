"""What holds of every answer, whatever was asked."""
import json
import math
import pathlib
import re

import jsonschema_rs

SCHEMAS = pathlib.Path(__file__).parents[2] / "docs" / "schema"
# Estimates of these, or found so, are no shares: times, differences, ratios.
NO_SHARE = re.compile(r"seconds|difference|comparisons|ratio|mean|effect|hours|factor", re.I)
NO_SHARE_METHOD = re.compile(r"quantile|mover|newcombe|difference|cox|ratio|restricted", re.I)


def parsed(text):
    def refuse(word):
        raise ValueError(f"{word} is no number")
    return json.loads(text, parse_constant=refuse)


class Laws:
    def __init__(self):
        self.validators = {}

    def validator(self, question):
        if question not in self.validators:
            self.validators[question] = jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{question}.json").read_text()))
        return self.validators[question]

    def broken(self, question, text):
        """What the answer breaks, in words."""
        try:
            document = parsed(text)
        except ValueError as error:
            return [f"it is not JSON: {error}"]
        found = [f"its schema: {error.message[-300:]} at {list(error.instance_path)}" for error in self.validator(question).iter_errors(document)]
        return found[:3] + list(estimates(document, ()))[:5]


def estimates(part, path):
    if isinstance(part, dict):
        if {"value", "lo", "hi"} <= part.keys():
            yield from estimate(part, path)
        for name, inner in part.items():
            yield from estimates(inner, (*path, name))
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            yield from estimates(inner, (*path, index))
    elif isinstance(part, float) and not math.isfinite(part):
        yield f"{part} at {path}"


def estimate(part, path):
    value, low, high = (part[name] for name in ("value", "lo", "hi"))
    if low is not None and high is not None and low > high:
        yield f"lo > hi: {part} at {path}"
    if value is not None and low is not None and low > value:
        yield f"lo > value: {part} at {path}"
    if value is not None and high is not None and value > high:
        yield f"value > hi: {part} at {path}"
    if not any(isinstance(name, str) and NO_SHARE.search(name) for name in path) and not NO_SHARE_METHOD.search(part.get("method", "")):
        yield from (f"no share: {part} at {path}" for number in (value, low, high) if number is not None and not 0 <= number <= 1)
    if value is None and part.get("reason", "") is None:
        yield f"no value and no reason: {part} at {path}"
