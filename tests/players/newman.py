"""`make collections`: newman sends the Postman collection of /docs, request by request, to a service of its own.

Every call has to answer as its recorded example: the status, the members, their types.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.demo.partner import direct_session
from tests.demo.stage import new_key, own_service
from tests.demo.telling import Failed
from tests.support.receiver import receiving

PLACE = Path(__file__).resolve().parents[2] / "var" / "players"
RUN_SECONDS = 600
LAST_LINES = 40


def main() -> int:
    began = time.monotonic()
    try:
        with own_service() as base_url, receiving() as receiver:
            failures, requests, checks = run(base_url, new_key(), receiver.url)
    except Failed as failure:
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    print(
        f"\n{requests} requests, {checks} checks, {len(failures)} failed, in {time.monotonic() - began:.0f} s."
    )
    print(*failures, sep="\n")
    # A run that stopped early has no failures, but too few requests and checks: each step has two, one without JSON one.
    steps, with_json = count_steps()
    return 1 if failures or requests < steps or checks < steps + with_json else 0


def count_steps() -> tuple[int, int]:
    """Of the collection, and those with a body of JSON. Django is set up only here: the service runs with settings of its own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    import django

    django.setup()
    from apps.docs.postman import steps

    return len(steps()), sum(step.example.answer.body is not None for step in steps())


def run(base_url: str, key: str, webhook_url: str) -> tuple[list[str], int, int]:
    """The checks that failed; how many requests were sent and checks made. Raises Failed where newman did not run."""
    for name in ("collection", "environment"):
        (PLACE / f"{name}.json").write_bytes(download(f"{base_url}/docs/{name}.postman.json"))
    report = PLACE / "report.json"
    report.unlink(missing_ok=True)
    values = {"baseUrl": base_url, "apiKey": key, "webhookUrl": webhook_url}
    variables = [part for name, value in values.items() for part in ("--env-var", f"{name}={value}")]
    done = subprocess.run(
        [
            *("node_modules/.bin/newman", "run", "collection.json", "--environment", "environment.json"),
            *(*variables, "--reporters", "json", "--reporter-json-export", str(report)),
        ],
        cwd=PLACE,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
    )
    if not report.exists():
        last = (done.stdout + done.stderr).strip().splitlines()[-LAST_LINES:]
        raise Failed("\n".join(["newman did not run:", *last]))
    result = json.loads(report.read_text())["run"]
    failures = [
        f"{failure['source'].get('name', '')}: {failure['error'].get('test', '')}: {failure['error']['message']}"
        for failure in result["failures"]
    ]
    return failures, result["stats"]["requests"]["total"], result["stats"]["assertions"]["total"]


def download(url: str) -> bytes:
    answer = direct_session().get(url, timeout=60)
    if answer.status_code != 200:
        raise Failed(f"{url} answered {answer.status_code}")
    return answer.content


if __name__ == "__main__":
    sys.exit(main())
