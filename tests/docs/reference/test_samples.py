"""The samples of the reference, run as they are written against a running server."""

import json
import os
import subprocess
import sys

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Error

from apps.docs import reference
from apps.docs.reference import Operation
from apps.docs.samples import curl, path_of, python, samples_of
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.tools import needs_curl


def without_handle() -> list[Operation]:
    """What runs as it stands: without an id that another call gives."""
    return [each for each in reference.every() if "…" not in curl(each)]


@pytest.fixture
def run(live_server):
    api = api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)
    names = {**os.environ, "BASE": live_server.url, "KEY": api.secret}

    def run(command: list[str], text: str) -> str:
        done = subprocess.run([*command, text], env=names, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


@needs_curl
def test_every_call_that_needs_no_handle_runs_in_curl(run):
    answers = {each.id: run(["bash", "-c"], curl(each)) for each in without_handle()}
    refused = {name: answer for name, answer in answers.items() if "error" in json.loads(answer)}
    assert refused == {}
    assert {"searchHotels", "searchFlights", "searchTransfers", "createWebhookEndpoint", "getAccount"} < set(
        answers
    )


@pytest.mark.parametrize("name", ["searchTransfers", "listEsimPlans", "healthReady"])
def test_calls_run_in_python(run, name: str):
    assert run([sys.executable, "-c"], python(reference.by_id(name))).startswith("{'")


def test_every_sample_in_python_is_python():
    for each in reference.every():
        compile(python(each), each.id, "exec")


def test_every_sample_is_of_its_language():
    assert reference.every()
    for each in reference.every():
        for sample in samples_of(each):
            tokens = list(get_lexer_by_name(sample.lexer).get_tokens(sample.code))
            assert [text for kind, text in tokens if kind is Error and text != "…"] == [], (
                each.id,
                sample.language,
            )


def test_paths_have_a_placeholder_for_each_id():
    assert path_of(reference.by_id("cancelTransferOrder")) == "/v1/transfers/orders/tord_…/cancel"
    assert all("…/…" not in path_of(each) and "/…" not in path_of(each) for each in reference.every())
