"""`make siege`: every attack in turn, and the hostile inputs. The exit code is 1 where another partner's call failed."""

import argparse
import logging
import os
import sys

from config.embedded import prepare_environment


def main() -> int:
    parser = argparse.ArgumentParser(prog="make siege", description="Attacks, and what others pay for them.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these attacks, or `hostile`")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each is measured")
    parser.add_argument("--every", type=int, default=1, help="send every Nth hostile input")
    arguments = parser.parse_args()
    prepare_environment()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
    import django

    django.setup()
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # more connections than it keeps
    from tests.siege import hostile
    from tests.siege.attacks import ATTACKS
    from tests.siege.site import running
    from tests.siege.trial import HEADER, attacked

    failed = 0
    with running() as site:
        print(HEADER, flush=True)
        for name in [name for name in ATTACKS if not arguments.names or name in arguments.names]:
            trial = attacked(site, name, arguments.seconds)
            print("\n".join(trial.lines()), flush=True)
            failed += len(trial.failures)
        if not arguments.names or "hostile" in arguments.names:
            results = hostile.send_all(site, hostile.inputs()[:: arguments.every])
            faults = [line for result in results for line in result.faults()]
            print(f"\n{len(results)} hostile inputs, {len(faults)} faults", *faults[:50], sep="\n")
            failed += len(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
