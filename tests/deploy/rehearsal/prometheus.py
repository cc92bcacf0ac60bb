"""Debian's Prometheus, with the files of `deploy/monitoring` but for addresses and durations, asks a site once a second.

Durations of the rules are shortened by FACTOR, and last LONGEST_SECONDS at most, so that an alert which is about a day ends
within the rehearsal. Ages in seconds that a rule compares with are shortened by FACTOR as well; so are, in `settings.py`, the
heartbeats that some of them are the ages of.
"""

import json
import re
import time
from collections.abc import Callable, Collection
from pathlib import Path

import requests

from tests.deploy.rehearsal.programs import READY_SECONDS, Program
from tests.support.ports import free_port
from tests.support.stack import ROOT

FACTOR = 5
LONGEST_SECONDS = 30
LEAST_SECONDS = 2
UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
DURATION = re.compile(r"(?P<before>for: |\[|offset )(?P<number>\d+)(?P<unit>[smhd])\b")
AGE = re.compile(r"(_seconds(?:\{[^}]*\})?\) (?:>|<=) )(60|600|3600)\b")
PAUSE_SECONDS = 0.25


def shortened(rules: str) -> str:
    """The text of the rules as the rehearsal evaluates them."""

    def duration(found: re.Match[str]) -> str:
        seconds = int(found["number"]) * UNITS[found["unit"]] / FACTOR
        return f"{found['before']}{round(max(LEAST_SECONDS, min(LONGEST_SECONDS, seconds)))}s"

    return AGE.sub(lambda age: f"{age[1]}{int(age[2]) // FACTOR}", DURATION.sub(duration, rules))


class Prometheus:
    """`ports` are those of the web groups; `add` and `leave_out` change whom it asks."""

    def __init__(self, directory: Path, ports: Collection[int], token: str) -> None:
        directory.mkdir()
        self._targets, self._asked = directory / "targets.json", list(ports)
        self._write_targets()
        (directory / "token").write_text(token)
        (directory / "alerts.yml").write_text(shortened((ROOT / "deploy/monitoring/alerts.yml").read_text()))
        text = (ROOT / "deploy/monitoring/prometheus.yml").read_text()
        for pattern, ours in {
            r"scrape_interval: \w+": "scrape_interval: 1s",
            r"/etc/prometheus/travel-partner-token": str(directory / "token"),
            r"(?m)static_configs:\n.*$": f"file_sd_configs:\n      - files: [{self._targets}]",
            r"\Z": "\nglobal:\n  evaluation_interval: 1s\n",
        }.items():
            text, changed = re.subn(pattern, ours, text, count=1)
            assert changed == 1, pattern
        file = directory / "prometheus.yml"
        file.write_text(text)
        self._url = f"127.0.0.1:{free_port()}"
        words = ["prometheus", f"--config.file={file}", f"--storage.tsdb.path={directory / 'figures'}"]
        self.process = Program([*words, f"--web.listen-address={self._url}"], directory / "prometheus.log")
        self.process.wait_for_port(int(self._url.rpartition(":")[2]))
        self._wait_until_ready()

    def add(self, port: int) -> None:
        self._asked.append(port)
        self._write_targets()

    def leave_out(self, port: int) -> None:
        self._asked.remove(port)
        self._write_targets()

    def raised(self, state: str = "firing") -> set[str]:
        """The alerts that are firing, or, with state "pending", on their way there."""
        found = requests.get(f"http://{self._url}/api/v1/alerts", timeout=10).json()["data"]["alerts"]
        return {one["labels"]["alertname"] for one in found if one["state"] == state}

    def watch(self, seconds: float, until: Callable[[set[str]], bool]) -> tuple[float | None, set[str]]:
        """Seconds until `until` holds of the alerts that fire, None where it never does; and all that fired meanwhile."""
        began, seen = time.monotonic(), set[str]()
        while time.monotonic() - began < seconds:
            firing = self.raised()
            seen |= firing
            if until(firing):
                return time.monotonic() - began, seen
            time.sleep(PAUSE_SECONDS)
        return None, seen

    def wait_until_calm(self, seconds: float) -> bool:
        """Until everybody answers, and nothing is raised, nor about to be."""
        began = time.monotonic()
        while not self._everybody_answers() or self.raised() | self.raised("pending"):
            if time.monotonic() - began > seconds:
                return False
            time.sleep(PAUSE_SECONDS)
        return True

    def _wait_until_ready(self) -> None:
        """It listens before it answers."""
        give_up = time.monotonic() + READY_SECONDS
        while not requests.get(f"http://{self._url}/-/ready", timeout=10).ok:
            if time.monotonic() > give_up:
                raise RuntimeError(f"Prometheus does not become ready: {self.process.said()}")
            time.sleep(PAUSE_SECONDS)

    def _everybody_answers(self) -> bool:
        found = requests.get(f"http://{self._url}/api/v1/targets", timeout=10).json()["data"]["activeTargets"]
        return [one["health"] for one in found] == ["up"] * len(self._asked)

    def _write_targets(self) -> None:
        text = json.dumps([{"targets": [f"127.0.0.1:{port}" for port in self._asked]}])
        unfinished = self._targets.with_suffix(".new")
        unfinished.write_text(text)
        unfinished.rename(self._targets)
