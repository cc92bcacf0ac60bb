#!/usr/bin/env python
"""Django's command line, on this checkout's own PostgreSQL and Redis unless the environment names others."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.embedded import prepare_environment

    prepare_environment()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
