"""That the harness can fail: a verdict that is good whatever a generator makes would say nothing."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.generators import judging
from tests.generators.catalogue import PACKAGE, Generator
from tests.generators.judging import Verdict, expected_of, make, try_out

EVENT = {"type": "booking.confirmed", "bookingId": "hbk_2"}
SAID = expected_of({"rates": 3, "booking": {"id": "hbk_1"}}, EVENT)
CLIENT = "ANSWER: int = 42"
PROGRAM = f"""
from {PACKAGE} import ANSWER

assert ANSWER + 0 == 42
print({json.dumps(SAID)!r})
"""


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Verdict]:
    """The verdict on a generator that writes this client, and on this program."""
    monkeypatch.setattr(judging, "PLACE", tmp_path)
    monkeypatch.setattr(judging, "HERE", tmp_path / "ours")

    def judge(client: str = CLIENT, program: str = PROGRAM, *, ends: int = 0) -> Verdict:
        script = (
            f"from pathlib import Path; place = Path('client/{PACKAGE}'); place.mkdir(parents=True); "
            f"(place / '__init__.py').write_text({client!r}); raise SystemExit({ends})"
        )
        generator = Generator("ours", "ours", lambda: "1.0", lambda *_: [sys.executable, "-c", script])
        (tmp_path / "ours" / "ours").mkdir(parents=True)
        (tmp_path / "ours" / "ours" / "partner.py").write_text(program)
        verdict = make(generator, tmp_path / "openapi.json")
        if verdict.compiled:
            try_out(verdict, generator, EVENT)
        return verdict

    return judge


def steps(verdict: Verdict) -> tuple[bool | None, bool | None, bool | None]:
    return verdict.generated, verdict.compiled, verdict.ran


def test_a_client_that_does_its_work_is_good(judged):
    verdict = judged()
    assert (steps(verdict), verdict.good, verdict.last_words) == ((True, True, True), True, "")
    assert verdict.notes == "3 rates, confirmed, 4 refusals read, webhook verified"


def test_a_generator_that_gives_up_is_not_asked_further(judged):
    verdict = judged(ends=3)
    assert (steps(verdict), verdict.good) == ((False, None, None), False)
    assert "ended with code 3" in verdict.last_words


@pytest.mark.parametrize("client", ["def broken(name: ) -> None: ...", 'ANSWER: str = "42"'])
def test_a_client_that_does_not_compile_or_is_typed_otherwise_is_not_run(judged, client):
    verdict = judged(client)
    assert (steps(verdict), verdict.good) == ((True, False, None), False)
    assert verdict.last_words != ""


@pytest.mark.parametrize(
    ("before", "after"),
    [('"conflict"', '"invalid_request"'), ("hbk_2", "hbk_3"), ('"rates": 3', '"rates": 0')],
)
def test_a_program_that_reads_something_else_has_failed(judged, before, after):
    assert before in PROGRAM
    verdict = judged(program=PROGRAM.replace(before, after))
    assert (steps(verdict), verdict.good) == ((True, True, False), False)
    assert verdict.last_words.startswith("said {")
