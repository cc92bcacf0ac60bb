"""`make workflows`: the Arazzo workflows of /docs, linted and played by Redocly against the live service.

Beside each workflow's own criteria every answer is held to the OpenAPI document: status, content type, schema.
"""

import json
import secrets
import sys
import time
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.demo.stage import manage
from tests.demo.telling import Failed, table
from tests.players.stage import PLACE, Stage, last_words, on_stage, play

ARAZZO = "docs/workflows.arazzo.json"
OPENAPI = "v1/openapi.json"


@dataclass(frozen=True)
class Played:
    workflow: str
    steps: int
    checks: int
    failed: list[str]
    seconds: float

    @property
    def good(self) -> bool:
        return self.failed == [] and self.checks > self.steps > 0


def main() -> int:
    began = time.monotonic()
    try:
        with on_stage() as stage:
            played, words = respected(stage)
    except Failed as failure:
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    print()
    rows = [
        (one.workflow, str(one.steps), str(one.checks), str(len(one.failed)), f"{one.seconds:.1f}")
        for one in played
    ]
    table(("workflow", "steps", "checks", "failed", "seconds"), rows, numbers=(1, 2, 3, 4))
    good = bool(played) and all(one.good for one in played)
    if not good:
        print("", *(line for one in played for line in one.failed), words, sep="\n")
    print(f"\n{sum(one.good for one in played)} of {len(played)}, in {time.monotonic() - began:.0f} s.")
    return 0 if good else 1


def respected(stage: Stage) -> tuple[list[Played], str]:
    """What each workflow came to, and the last words of Redocly. Raises Failed where the linter objects."""
    for name in (ARAZZO, OPENAPI):
        kept = PLACE / name
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(stage.download(f"/{name}"))
    linted = play("redocly", ["lint", ARAZZO, "--max-problems", "20"])
    if linted.returncode != 0:
        raise Failed(last_words(linted))
    told = PLACE / "respect.json"
    told.unlink(missing_ok=True)
    inputs = [part for name, value in given(stage).items() for part in ("--input", f"{name}={value}")]
    server = ["--server", f"api={stage.base_url}"]
    done = play("redocly", ["respect", ARAZZO, *server, *inputs, "--json-output", str(told)])
    if not told.exists():
        raise Failed(last_words(done))
    return read(told), last_words(done)


def given(stage: Stage) -> dict[str, str]:
    """What the workflows ask for, of this run."""
    day = date.today() + timedelta(days=60)
    small = manage(
        *("create_partner", "--name", "One search a day", "--currency", "EUR", "--balance-cents", "5000000"),
        *("--search-quota", "1", "--json"),
    )
    return {
        "apiKey": stage.key,
        "run": f"run-{secrets.token_hex(6)}",
        "day": day.isoformat(),
        "dayAfter": (day + timedelta(days=1)).isoformat(),
        "webhookUrl": stage.receiver,
        "smallQuotaKey": str(json.loads(small)["testKey"]),
    }


def read(told: Path) -> list[Played]:
    [file] = json.loads(told.read_text())["files"].values()
    return [workflow_of(one) for one in file["executedWorkflows"]]


def workflow_of(told: dict[str, Any]) -> Played:
    """What Redocly tells of one. A check of an attempt that was repeated with success has not failed."""
    checks = [(step["stepId"], check) for step in told["executedSteps"] for check in step.get("checks", [])]
    failed = []
    if told["status"] != "success":
        failed = [f"{step}: {check['message']}" for step, check in checks if check["status"] != "success"]
        failed = failed or [f"{told['workflowId']}: {told['status']}"]
    steps = len(told["executedSteps"])
    return Played(told["workflowId"], steps, len(checks), failed, told["totalTimeMs"] / 1_000)


if __name__ == "__main__":
    sys.exit(main())
