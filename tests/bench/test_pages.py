"""What `make bench ARGS=pages` makes of what it measured, and what it refuses."""

from pathlib import Path

import pytest

from tests.bench.pages.report import PAGES, Page, checkout, report
from tests.bench.pages.side import Asked
from tests.portal.pages import PAGES as KNOWN


def test_a_page_is_the_median_of_what_was_asked():
    asked = [Asked(each / 1000, each / 100, 200, 4_000) for each in (1, 9, 2, 3, 2)]
    page = Page.of(asked)
    assert (page.processor, page.wall, page.size, page.wrong) == (2.0, 20.0, 4_000, 0)
    assert page.p95 > 90
    assert Page.of([*asked, Asked(0.001, 0.001, 404, 10)]).wrong == 404


def test_the_ratio_is_ours_to_theirs_and_what_was_not_answered_is_told(capsys: pytest.CaptureFixture[str]):
    ours, theirs = Page(10.0, 20.0, 30.0, 5_000, 0), Page(20.0, 20.0, 20.0, 4_000, 0)
    report({"Home": (ours, theirs), "Keys": (ours, Page(1.0, 1.0, 1.0, 10, 404))}, rounds=3)
    said = capsys.readouterr().out
    assert "    10.0    20.0  0.50    20.0    20.0  1.00    30.0    20.0  1.50       5     4" in said
    assert "the other answered 404" in said
    assert "all pages, processor: 0.50" in said


@pytest.mark.parametrize("told", ["", "/nowhere/at/all"])
def test_it_needs_a_checkout_to_compare_with(told: str):
    with pytest.raises(SystemExit, match="must be a checkout of the service"):
        checkout(told)


def test_this_checkout_may_be_compared_with_itself_and_every_page_is_one_of_the_portal():
    here = Path(__file__).resolve().parents[2]
    assert checkout(str(here)) == here
    assert set(PAGES.values()) <= {page.path for page in KNOWN}
