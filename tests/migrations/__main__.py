"""`python -m tests.migrations`: refuses migrations that are not safe beside a running service."""

import os
import sys

from config.embedded import prepare_environment

prepare_environment()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from tests.migrations.lint import faults  # noqa: E402
from tests.migrations.reading import read_ours  # noqa: E402


def main() -> int:
    found = faults(read_ours())
    for name, wrong in found.items():
        for each in wrong:
            print(f"{name}: {each}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
