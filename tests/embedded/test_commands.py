"""What `make run` has done before it starts its processes: by a child, so that no connection of it is anybody else's."""

import os
import subprocess

import pytest

from tests.support import stack
from tests.support.forked import output

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

RUN = """
import os, sys
import django
django.setup()
from django.db import connection
from config.embedded.commands import output_of
asking = ("check_ledger", "--skip-checks")
if sys.argv[1] == "well":
    first, second = output_of(asking), output_of(("diffsettings",), asking)
    assert first == second, (first, second)
    print(first.strip(), connection.connection)
else:
    output_of(asking, ("loaddata", "no-such-file"), ("shell", "-c", "print('one more')"))
"""


def told(how: str) -> str:
    environment = stack.variables({"DATABASE_URL": stack.test_database_url()})
    return output(["-c", RUN, how], {**os.environ, **environment})


def test_what_the_last_command_printed_is_told_and_no_connection_is_left() -> None:
    assert told("well") == "The books balance: no difference. None\n"


def test_a_command_that_fails_is_named_and_none_follows(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        told("badly")
    assert (failed.value.returncode, failed.value.output) == (1, "")
    last_words = capfd.readouterr().err
    assert last_words.startswith("CommandError: No fixture named 'no-such-file' found.\n")
    assert last_words.endswith("\nerror: manage.py loaddata failed\n")
