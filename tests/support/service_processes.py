"""Python programs beside a service of a test's own, which is told what to do line by line."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from config.embedded import with_database
from tests.support.own_service import own_database
from tests.support.stack import ROOT, variables

Environment = dict[str, str]


@contextmanager
def service(name: str) -> Iterator[Environment]:
    """The variables of a service on an empty database of this name, which is dropped afterwards."""
    with own_database(name) as url:
        yield {
            **os.environ,
            **variables({"REDIS_TIMEOUT_SECONDS": 2}),
            "DATABASE_URL": url,
            "REDIS_URL": with_database(os.environ["REDIS_URL"], 15),
        }


@contextmanager
def python(module: str, *arguments: str, environment: Environment) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(40)
