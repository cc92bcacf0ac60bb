"""`make contract`: does the live document keep what was released?"""

import sys

import django

from config.embedded import prepare_environment


def main() -> int:
    prepare_environment()
    django.setup()
    from tests.contract.ratchet.releases import broken, live, released

    lines = broken(live())
    for version in released():
        print(f"{version}: {f'{len(lines[version])} things broken' if version in lines else 'kept'}")
        for line in lines.get(version, []):
            print(f"  {line}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
