"""A web process that is stopped writes the calls that it answered to the log before it ends."""

import os
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest

from apps.keys.scopes import ENFORCED
from apps.request_log.models import LoggedCall, LostCalls
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.support import stack, web
from tests.support.ports import free_port
from tests.support.stack import HttpApi, NoAnswer, serving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

CALLERS = 4
BEFORE_THE_STOP = 60


class Caller(threading.Thread):
    """Reads its account until nobody answers any more; the request ids of what was answered."""

    def __init__(self, api: HttpApi, enough: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self.api, self.enough = api, enough
        self.answered: list[uuid.UUID] = []

    def run(self) -> None:
        try:
            while True:
                reply = self.api.get("/v1/account")
                assert reply.status == 200
                self.answered.append(uuid.UUID(reply.headers["X-Request-Id"]))
                if len(self.answered) == BEFORE_THE_STOP:
                    self.enough.wait(60)
        except NoAnswer:
            return


def test_every_call_that_was_answered_is_logged_when_the_server_is_stopped_under_load():
    _, secret = issued_key(AccountFactory(rate_read=10**6), scopes=list(ENFORCED))
    enough = threading.Barrier(CALLERS + 1)
    database = {"DATABASE_URL": stack.test_database_url()}
    with serving(database, workers=2, threads=4, graceful_seconds=60) as url:
        callers = [Caller(HttpApi(url, secret), enough) for _ in range(CALLERS)]
        for caller in callers:
            caller.start()
        enough.wait(60)
    for caller in callers:
        caller.join(60)
    answered = {request_id for caller in callers for request_id in caller.answered}

    assert len(answered) >= CALLERS * BEFORE_THE_STOP
    assert answered - set(LoggedCall.objects.values_list("request_id", flat=True)) == set()
    assert LostCalls.objects.count() == 0


def test_a_worker_that_is_stopped_while_it_loads_the_application_ends(tmp_path):
    (tmp_path / "slow_start.py").write_text(
        "import pathlib, time\n"
        "import config.wsgi\n"
        "application = config.wsgi.application\n"
        "pathlib.Path(__file__).with_name('loading').touch()\n"
        "time.sleep(120)\n"
    )
    variables = stack.variables({"DATABASE_URL": stack.test_database_url()})
    command = web.web_command(port=free_port(), application="slow_start:application", graceful_seconds=600)
    server = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, **variables, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path.cwd()}"},
        stderr=subprocess.DEVNULL,
    )
    try:
        while not (tmp_path / "loading").exists():
            assert server.poll() is None
            time.sleep(0.05)
        server.terminate()

        assert server.wait(60) == 0
    finally:
        server.kill()
