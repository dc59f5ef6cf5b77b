"""Odd little fleets, every question, many options: on the command line and over HTTP, before and after folding.

Nothing ends by a trap, nothing that may be asked is refused, every answer obeys its schema and the laws of numbers, the service
says what the command says, and folding changes nothing. A seed is a fleet and what is asked of it; to see one again:
scripts/check-answers PROGRAM --seed N
"""
import os
import random
import sys
import unittest

from trial import Broken, Trial

SOAK = os.environ.get("UPTAKE_SOAK") == "1"
# What once was broken: 0 names with line breaks over HTTP, 1 two releases that nobody has, 42 a channel without a release.
SEEDS = [0, 1, 42]
FLEETS, QUESTIONS, MOST = (600, 30, 30) if SOAK else (30, 8, 30)
# More of them over HTTP, of each fleet: a million in the soak, thousands in every run.
SERVED = 1700 if SOAK else 90


class Answers(unittest.TestCase):
    def check(self, seeds, questions):
        asked = 0
        for seed in seeds:
            with self.subTest(seed=seed):
                try:
                    asked += Trial(seed, questions, SERVED).check()
                except Broken as broken:
                    self.fail(str(broken))
        return asked

    def test_those_that_once_were_wrong(self):
        print(f"answers: {self.check(SEEDS, MOST)} questions")

    @unittest.skipIf(SOAK, "many fresh seeds take their place")
    def test_always_the_same(self):
        print(f"answers: {self.check(range(100, 100 + FLEETS), QUESTIONS)} questions")

    @unittest.skipUnless(SOAK, "many fresh seeds take long")
    def test_fresh_ones(self):
        fresh = random.SystemRandom()
        print(f"answers: {self.check((fresh.randrange(10**9) for _ in range(FLEETS)), QUESTIONS)} questions")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--seed"]:
        for seed in sys.argv[2:]:
            print(f"seed {seed}: {Trial(int(seed), MOST, SERVED).check()} questions")
    else:
        unittest.main()
