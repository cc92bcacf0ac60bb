"""Management commands run by a child that has the application in memory already: each by itself would import it anew.

What a command opens, connections above all, ends with the child, and is in none of the processes that are forked later.
"""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO

from config.embedded.processes import die_with_parent


def output_of(*commands: Sequence[str]) -> str:
    """Run one after the other; what the last one printed. SystemExit where one fails, which has said why on stderr."""
    parent = os.getpid()
    said, saying = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(said)
        die_with_parent(signal.SIGTERM)
        os._exit(_run(commands, saying) if os.getppid() == parent else 1)
    os.close(saying)
    with os.fdopen(said) as told:
        output = told.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise SystemExit(code)
    return output


def _run(commands: Sequence[Sequence[str]], saying: int) -> int:
    from django.core.management import (
        execute_from_command_line,
    )  # whoever prepares the environment needs none of it

    printed = StringIO()
    for words in commands:
        try:
            with redirect_stdout(printed := StringIO()):
                execute_from_command_line(["manage.py", *words])
        except KeyboardInterrupt:
            return 130
        except BaseException as error:
            if not isinstance(error, SystemExit):  # with which a command that has told its error ends
                traceback.print_exc()
            print(f"error: manage.py {words[0]} failed", file=sys.stderr, flush=True)
            return 1
    with os.fdopen(saying, "w") as told:
        told.write(printed.getvalue())
    return 0
