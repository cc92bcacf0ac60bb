"""The samples of the reference, run as they are written, and those through the client libraries."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from pygments.lexers import get_lexer_by_name
from pygments.token import Error

from apps.docs import reference
from apps.docs.clients import PACKAGES, newest
from apps.docs.reference import Operation
from apps.docs.samples import curl, python_client, samples_of, through_client, typescript_client
from apps.keys.scopes import GRANTABLE
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.tools import needs, needs_curl


def without_handle() -> list[Operation]:
    """What runs as it stands: without an id that another call gives."""
    return [each for each in reference.every() if "…" not in curl(each)]


@pytest.fixture
def key() -> str:
    """Of a partner that has the trip which the samples name."""
    api = api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)
    trip = dict(reference.by_id("getTripDocument").required_query)["tripReference"]
    assert api.post("/v1/esim/orders", {"planId": Goods(api).plan_id, "tripReference": trip}).status == 201
    return api.secret


@pytest.fixture
def run(live_server, key, tmp_path):
    names = {**os.environ, "BASE": live_server.url, "KEY": key}

    def run(command: list[str], text: str) -> str:
        done = subprocess.run(
            [*command, text], env=names, cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


@needs_curl
def test_every_call_that_needs_no_handle_runs_in_curl(run):
    answers = {each.id: run(["bash", "-c"], curl(each)) for each in without_handle() if not each.is_file}
    refused = {name: answer for name, answer in answers.items() if "error" in json.loads(answer)}
    assert refused == {}
    assert {"searchHotels", "searchFlights", "searchTransfers", "createWebhookEndpoint", "getAccount"} < set(
        answers
    )


@needs_curl
def test_the_samples_of_the_sandbox_run(run):
    """In curl and through the Python library; a reset comes first and last, so that no fault meets the next call."""
    reset = next(each for each in reference.sandbox().operations if each.id == "resetSandbox")
    calls = [each for each in reference.sandbox().operations if each is not reset and "…" not in curl(each)]
    assert len(calls) > 4
    for each in (reset, *calls, reset):
        assert "error" not in json.loads(run(["bash", "-c"], curl(each))), each.id
        python = next(sample.code for sample in samples_of(each) if sample.language == "Python")
        assert run([sys.executable, "-c"], f"import sys; sys.path.insert(0, {str(PYTHON)!r})\n{python}")


@needs_curl
def test_a_file_is_saved_under_the_name_that_it_comes_with(run, tmp_path):
    assert run(["bash", "-c"], curl(reference.by_id("getTripDocument"))) == ""
    (saved,) = tmp_path.iterdir()
    assert (saved.suffix, saved.read_bytes()[:5]) == (".pdf", b"%PDF-")


def test_every_sample_is_of_its_language():
    assert reference.every()
    for each in reference.every():
        for sample in samples_of(each):
            tokens = list(get_lexer_by_name(sample.lexer).get_tokens(sample.code))
            assert [text for kind, text in tokens if kind is Error and text != "…"] == [], (
                each.id,
                sample.language,
            )


PYTHON = Path(settings.BASE_DIR) / "clients" / "python" / "src"
TYPESCRIPT = Path(settings.BASE_DIR) / "clients" / "typescript" / "src"


def test_samples_run_through_the_python_library(live_server, key, tmp_path):
    names = {"BASE": live_server.url, "KEY": key}
    environment = {**os.environ, **names, "PYTHONPATH": str(PYTHON)}
    codes = [through_client(each, python_client) for each in reference.every()]
    runnable = [code for code in codes if "…" not in code]
    assert len(runnable) > 15
    done = subprocess.run(
        [sys.executable, "-c", "\n\n".join(runnable)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_python_library_has_the_methods_and_models_of_all_samples():
    """Each call is bound to its method's signature, and each model is made; nothing is sent."""
    codes = [through_client(each, python_client) for each in reference.every()]
    probe = (
        "import json, os, sys, inspect, travel_partner\n"
        "os.environ.update(KEY='svc_test_x', BASE='http://127.0.0.1:9')\n"
        "class Asked(BaseException): pass\n"
        "def perform(self, call): raise Asked(call.method)\n"
        "travel_partner.TravelPartner._perform = perform\n"
        "sent = []\n"
        "for code in json.load(sys.stdin):\n"
        "    try: exec(code, {})\n"
        "    except Asked as asked: sent.append(str(asked))\n"
        "print(len(sent))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        input=json.dumps(codes),
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout.strip(), done.stderr) == (str(len(codes)), "")


@pytest.mark.slow
@needs("php")
def test_the_samples_of_php_run(live_server, key, tmp_path):
    """One program: those that need no handle are answered, all others are not found."""
    shutil.unpack_archive(PACKAGES / newest("PHP").file, tmp_path)
    codes = [
        next(sample.code for sample in samples_of(each) if sample.language == "PHP")
        for each in [*reference.every(), *reference.sandbox().operations]
    ]
    calls = [
        f"try {{ {code.partition('getenv')[2].partition(chr(10))[2]} $done++; }}"
        " catch (TravelPartner\\ApiException $error) { $types[] = $error->type; }"
        for code in codes
    ]
    head = (
        codes[0].partition("\n\n")[0]
        + "\n$client = new TravelPartner\\Client(getenv('KEY'), getenv('BASE'));"
    )
    program = tmp_path / "samples.php"
    tail = "fwrite(STDERR, json_encode([$done, array_count_values($types)]));"
    program.write_text("\n".join([head, "$done = 0;", *calls, tail]))
    names = {**os.environ, "BASE": live_server.url, "KEY": key}
    done = subprocess.run(
        ["php", "-d", "error_reporting=-1", "-d", "display_errors=stderr", program.name],
        cwd=tmp_path,
        env=names,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    answered, types = json.loads(done.stderr)
    assert answered > 15
    assert set(types) <= {"not_found", "offer_expired", "invalid_request"}
    assert answered + sum(types.values()) == len(codes)


def test_the_typescript_library_has_the_methods_of_all_samples():
    source = "\n".join(
        path.read_text() for path in [*TYPESCRIPT.glob("resources/*.ts"), TYPESCRIPT / "client.ts"]
    )
    every = reference.every()
    assert every
    for each in every:
        called = re.search(r"await client\.([\w.]+)\(", through_client(each, typescript_client))[
            1
        ].rpartition(".")[2]
        assert called == method_that_calls(each.id, source), each.id


def method_that_calls(operation_id: str, source: str) -> str:
    """The last method that begins before the call of the operation."""
    before, found, _ = source.partition(f'#call("{operation_id}"')
    assert found, operation_id
    return re.findall(r"^  (?:async )?(\w+)\(", before, re.MULTILINE)[-1]
