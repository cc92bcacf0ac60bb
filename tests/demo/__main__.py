"""`make demo`: a partner's day with all four products, over HTTP, down to the last webhook and the last cent.

`make demo ARGS="flights hotels"` plays only these; `make demo SUPPLIERS=stub` plays with a live key, before stand-ins of the
real suppliers.
"""

import os
import signal
import sys
import time
from types import ModuleType

from tests.demo.receiver import Inbox
from tests.demo.stage import STUB, on_live_stage, on_stage
from tests.demo.story import ending, esim, flights, hotels, opening, transfers, triggers
from tests.demo.telling import Failed, chapter

PRODUCTS = {"flights": flights, "hotels": hotels, "transfers": transfers, "esim": esim}


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what we started is stopped
    names = sys.argv[1:] or list(PRODUCTS)
    if unknown := set(names) - set(PRODUCTS):
        print(f"error: no product {', '.join(sorted(unknown))}: {', '.join(PRODUCTS)}", file=sys.stderr)
        return 2
    suppliers = os.environ.get("SUPPLIERS", "")
    if suppliers not in ("", STUB):
        print(f"error: SUPPLIERS={suppliers}: there is only SUPPLIERS={STUB}", file=sys.stderr)
        return 2
    began = time.monotonic()
    try:
        play([PRODUCTS[name] for name in names], live=suppliers == STUB)
    except Failed as failure:
        sys.stdout.flush()
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\nAll as it should be, in {time.monotonic() - began:.0f} s.")
    return 0


def play(products: list[ModuleType], *, live: bool) -> None:
    chapter("Travel Partner API: a partner's day")
    inbox = Inbox()
    try:
        with on_live_stage() if live else on_stage(int(os.environ.get("PORT", "8000"))) as stage:
            story = opening.play(stage, inbox)
            for product in products:
                product.play(story)
            if not live:
                triggers.play(story, products)
            ending.play(story)
    finally:
        inbox.close()


if __name__ == "__main__":
    sys.exit(main())
