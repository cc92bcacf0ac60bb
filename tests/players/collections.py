"""`make collections`: the Postman collection by newman and the Bruno collection by its own command, request by request.

Every call has to answer as its recorded example: the status, the members, their types.
"""

import io
import json
import shutil
import sys
import time
import zipfile
from dataclasses import dataclass

from apps.docs.collection.steps import steps
from tests.demo.telling import Failed, table
from tests.players.stage import PLACE, Stage, last_words, on_stage, play


@dataclass(frozen=True)
class Played:
    """What became of a collection: requests that were sent, checks that were made, and those that failed."""

    player: str
    requests: int
    checks: int
    failures: list[str]
    words: str = ""

    @property
    def good(self) -> bool:
        return self.failures == [] and self.requests >= len(steps()) and self.checks >= 2 * len(steps()) - 1


def main() -> int:
    began = time.monotonic()
    try:
        with on_stage() as stage:
            played = [with_newman(stage), with_bruno(stage)]
    except Failed as failure:
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    print()
    rows = [(one.player, str(one.requests), str(one.checks), str(len(one.failures))) for one in played]
    table(("player", "requests", "checks", "failed"), rows, numbers=(1, 2, 3))
    for one in played:
        if not one.good:
            print(f"\n{one.player}, of {len(steps())} requests:", *one.failures, one.words, sep="\n")
    print(f"\n{sum(one.good for one in played)} of {len(played)}, in {time.monotonic() - began:.0f} s.")
    return 0 if all(one.good for one in played) else 1


def with_newman(stage: Stage) -> Played:
    for name in ("collection", "environment"):
        (PLACE / f"{name}.json").write_bytes(stage.download(f"/docs/{name}.postman.json"))
    told = PLACE / "newman.json"
    told.unlink(missing_ok=True)
    given = {"baseUrl": stage.base_url, "apiKey": stage.key, "webhookUrl": stage.receiver}
    variables = [part for name, value in given.items() for part in ("--env-var", f"{name}={value}")]
    reporting = ["--reporters", "json", "--reporter-json-export", str(told)]
    done = play(
        "newman", ["run", "collection.json", "--environment", "environment.json", *variables, *reporting]
    )
    if not told.exists():
        return Played("newman", 0, 0, ["it did not run"], last_words(done))
    run = json.loads(told.read_text())["run"]
    failures = [
        f"{one['source'].get('name', '')}: {one['error']['test']}: {one['error']['message']}"
        for one in run["failures"]
    ]
    return Played("newman", run["stats"]["requests"]["total"], run["stats"]["assertions"]["total"], failures)


def with_bruno(stage: Stage) -> Played:
    place = PLACE / "bruno"
    shutil.rmtree(place, ignore_errors=True)
    zipfile.ZipFile(io.BytesIO(stage.download("/docs/collection.bruno.zip"))).extractall(place)
    told = PLACE / "bruno.json"
    told.unlink(missing_ok=True)
    given = {"baseUrl": stage.base_url, "apiKey": stage.key, "webhookUrl": stage.receiver}
    variables = [part for name, value in given.items() for part in ("--env-var", f"{name}={value}")]
    arguments = ["run", "-r", "--env", "Sandbox", *variables, "--reporter-json", str(told)]
    done = play("bru", arguments, place / "travel-partner-api")
    if not told.exists():
        return Played("bruno", 0, 0, ["it did not run"], last_words(done))
    [run] = json.loads(told.read_text())
    results = run["results"]
    checks = [(one["name"], check) for one in results for check in one["testResults"]]
    failures = [f"{one['name']}: {one['error']}" for one in results if one["error"]]
    failures += [f"{name}: {check['description']}" for name, check in checks if check["status"] != "pass"]
    return Played("bruno", len(results), len(checks), failures, last_words(done))


if __name__ == "__main__":
    sys.exit(main())
