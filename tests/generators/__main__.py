"""`make generators`: one line for each generator, and the last words of whatever failed.

`make generators ARGS="hey_api openapi_typescript"` tries only these.
"""

import sys
import time

import requests

from tests.demo.partner import Partner, direct_session
from tests.demo.stage import new_key, own_service
from tests.demo.telling import Failed, table
from tests.generators.catalogue import GENERATORS, Generator
from tests.generators.delivery import deliver_one
from tests.generators.judging import Verdict, make, try_out
from tests.generators.tools import PLACE, missing_tools

HEAD = ("generator", "version", "generated", "compiled", "ran", "notes")
WORDS = {True: "yes", False: "FAILED", None: "-"}


def main() -> int:
    folders = sys.argv[1:] or [generator.folder for generator in GENERATORS]
    if unknown := set(folders) - {generator.folder for generator in GENERATORS}:
        print(f"error: no generator {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if missing := missing_tools():
        print(f"error: {missing}", file=sys.stderr)
        return 2
    began = time.monotonic()
    try:
        verdicts = judge([generator for generator in GENERATORS if generator.folder in folders])
    except Failed as failure:
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    report(verdicts)
    print(
        f"\n{sum(verdict.good for verdict in verdicts)} of {len(verdicts)}, in {time.monotonic() - began:.0f} s."
    )
    return 0 if all(verdict.good for verdict in verdicts) else 1


def judge(generators: list[Generator]) -> list[Verdict]:
    with own_service() as base_url:
        document = PLACE / "openapi.json"
        document.write_bytes(fetched(f"{base_url}/v1/openapi.json"))
        verdicts = [make(generator, document) for generator in generators]
        key = new_key()
        delivery = deliver_one(Partner(base_url, key))
        event = {"type": "booking.confirmed", "bookingId": delivery.booking_id}
        kept = PLACE / "delivery.json"
        delivery.keep(kept)
        for verdict, generator in zip(verdicts, generators, strict=True):
            if verdict.compiled:
                try_out(verdict, generator, event, BASE_URL=base_url, API_KEY=key, DELIVERY=str(kept))
    return verdicts


def fetched(url: str) -> bytes:
    answer = direct_session().get(url, timeout=30)
    try:
        answer.raise_for_status()
    except requests.HTTPError as error:
        raise Failed(str(error)) from error
    return answer.content


def report(verdicts: list[Verdict]) -> None:
    print()
    steps = [(verdict.generated, verdict.compiled, verdict.ran) for verdict in verdicts]
    rows = [
        (verdict.generator, verdict.version, *(WORDS[step] for step in done), verdict.notes)
        for verdict, done in zip(verdicts, steps, strict=True)
    ]
    table(HEAD, rows)
    for verdict in verdicts:
        if verdict.last_words:
            print(f"\n{verdict.generator}:\n{verdict.last_words}")


if __name__ == "__main__":
    sys.exit(main())
