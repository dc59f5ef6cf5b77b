"""A peak that lasts: memory, descriptors, the write-ahead log and the time of an answer stay flat."""
import os
import statistics
import threading
import time
import unittest

from figures import figures
from fleet import Fleet
from service import Client, Service, in_threads, scaled

SECONDS = int(os.environ.get("UPTAKE_PEAK_SECONDS", scaled(12, 3600)))
CLIENTS, PACE = 8, 0.04
# Others may keep the machine busy for a quarter of a short peak: in one of these the time of an answer has to be flat.
PEAKS = scaled(3, 1)
LARGEST_LOG = 128 << 20


class Peak(unittest.TestCase):
    def test_a_long_peak_costs_at_its_end_what_it_costs_at_its_start(self):
        self.assertTrue(any(self.is_as_fast_at_its_end() for _ in range(PEAKS)), f"{PEAKS} times slower at the end")

    def is_as_fast_at_its_end(self):
        """Of one peak, in which nothing else may grow either, and nothing is lost."""
        with Service("--fold-after", "2s") as service:
            fleet, stop, times, lock = Fleet(batch=50, devices=200_000), threading.Event(), [], threading.Lock()

            def send(number):
                client = Client(service.port)
                while not stop.is_set():
                    start = time.monotonic()
                    answer = fleet.send(client)
                    with lock:
                        times.append((start, time.monotonic() - start))
                    if answer.status != 200:
                        stop.set()
                    time.sleep(PACE)

            def ask(_):
                client = Client(service.port)
                while not stop.wait(1):
                    client.ask("GET", "/v1/answers/adoption?release=1.0&app=com.example.load")

            begin, samples = time.monotonic(), []
            threads = in_threads(CLIENTS, send) + in_threads(1, ask)
            while not stop.is_set() and time.monotonic() - begin < SECONDS:
                samples.append((service.status("VmRSS"), service.open_files, os.path.getsize(f"{service.database}-wal")))
                time.sleep(max(0.1, SECONDS / 200))
            stop.set()
            for thread in threads:
                thread.join(60)
            self.assertEqual(set(fleet.statuses), {200})
            is_flat = self.judge(samples, times)
            events = fleet.check(self, service.database)
            self.assertEqual(service.stop(), 0)
            figures(peak={"seconds": SECONDS, "answered": len(fleet.acknowledged), "found": events, "second and last quarter": self.words})
            return is_flat

    def judge(self, samples, times):
        """The last quarter against the second: the first one warms up."""
        def quarter(values, which):
            size = len(values) // 4
            return values[which * size:(which + 1) * size]

        memory = [statistics.median(row[0] for row in quarter(samples, which)) / 1024 for which in (1, 3)]
        files = [max(row[1] for row in quarter(samples, which)) for which in (1, 3)]
        log = max(row[2] for row in samples)
        late = [statistics.quantiles([taken for _, taken in quarter(times, which)], n=100)[98] * 1000 for which in (1, 3)]
        self.words = (f"memory {memory[0]:.0f} and {memory[1]:.0f} MB, descriptors {files[0]} and {files[1]}, "
                      f"log at most {log >> 20} MB, 99th percentile {late[0]:.0f} and {late[1]:.0f} ms")
        # The window of duplicates and the names grow with what was stored: 8 bytes and little more for each event.
        grown = 16 * len(times) * 50 / (1 << 20)
        self.assertLess(memory[1], memory[0] * 1.3 + 24 + grown, self.words)
        self.assertLessEqual(files[1], files[0] + 4, self.words)
        self.assertLess(log, LARGEST_LOG, self.words)
        print(f"peak: {self.words}")
        return late[1] < 3 * late[0] + 100


if __name__ == "__main__":
    unittest.main()
