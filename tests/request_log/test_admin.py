"""The request log in the back office."""

import uuid

import pytest
from django.db import OperationalError

from apps.common import clock
from apps.common.back_office import CountedInPart
from apps.request_log.models import LoggedCall, LostCalls
from tests.factories.keys import issued_key
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
LIST = "/admin/request_log/loggedcall/"


def logged(**fields: object) -> LoggedCall:
    call = {
        "method": "GET",
        "path": "/v1/account",
        "status": 200,
        "duration_ms": 12.3,
        "created_at": clock.now(),
    }
    return LoggedCall.objects.create(request_id=uuid.uuid4(), **{**call, **fields})


def shown(query: str) -> list[LoggedCall]:
    return list(Desk().get(f"{LIST}?{query}").context["cl"].result_list)


def test_calls_are_found_by_id_owner_and_answer() -> None:
    key, _ = issued_key()
    mine = logged(account=key.account, key=key, environment="test", booking_reference="F-7KQ2M9XD")
    nobodys = logged(status=401)
    assert shown("") == [nobodys, mine]
    assert shown(f"q={mine.request_id}") == shown(f"q={key.account_id}") == shown(f"q={key.pk}") == [mine]
    assert shown("q=f-7kq2m9xd") == shown("answered=2") == shown("owner=some") == [mine]
    assert shown("answered=4") == shown("owner=none") == [nobodys]
    assert shown("q=what+is+this%3F") == []


@pytest.mark.parametrize(
    "query", ["answered=9", "owner=%00", "q=%00", "q=acc_%27", "p=-1", "p=9999", "e=1", "x=y"]
)
def test_a_hostile_query_is_no_crash(query: str) -> None:
    logged()
    assert Desk().get(f"{LIST}?{query}").status_code in {200, 302, 400}


def test_nothing_is_edited_and_the_pages_are_lean() -> None:
    calls = [logged(trace="bearer_key 200", why="<script>") for _ in range(9)]
    LostCalls.objects.create(calls=3)
    desk, page = Desk(), f"{LIST}{calls[0].pk}/change/"
    pages = [LIST, page, "/admin/request_log/lostcalls/"]
    assert "Show counts" not in desk.get(LIST).content.decode()
    assert [fault for path in pages for fault in faults_of(desk, path)] == []
    assert desk.post(page, {"status": 500}).status_code == 403
    assert desk.post(f"{page[:-7]}delete/", {"post": "yes"}).status_code == 403
    assert Desk("request_log.view_lostcalls").get(LIST).status_code == 403


def test_a_long_list_is_counted_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.common.back_office.COUNTED", 3)
    for _ in range(5):
        logged()
    counted = CountedInPart(LoggedCall.objects.order_by("-id"), 2)
    assert (counted.count, counted.has_more) == (3, True)
    assert "more than 3 logged calls" in Desk().get(LIST).content.decode()


def test_a_search_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(self: object) -> int:
        raise OperationalError("canceling statement due to statement timeout")

    desk = Desk()
    monkeypatch.setattr(CountedInPart, "count", property(slow))
    answer = desk.get(f"{LIST}?q=F-1")
    assert (answer.status_code, answer.headers["Location"]) == (302, LIST)
    monkeypatch.undo()
    assert told(desk.get(LIST)) == ["This took too long. Narrow it down, for example to one account's id."]
