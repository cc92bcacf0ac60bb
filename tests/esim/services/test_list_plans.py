"""The sandbox of a fresh deployment fills itself; nothing else is ever asked at a reading."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet

from apps.common import clock
from apps.esim.models import Plan
from apps.esim.plan_pages import fill_empty_sandbox, list_plans, list_plans_behind
from apps.esim.selectors import PlanFilters, place_of
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator import catalogue
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop
from tests.judge.client import use_judge
from tests.support.api import Api

pytestmark = pytest.mark.django_db

ANY = PlanFilters()


def test_a_sandbox_that_was_never_synced_is_filled_by_the_first_reader() -> None:
    plans, total = list_plans("test", "EUR", ANY, 1, 5)
    assert (len(plans), total) == (5, len(catalogue.plans()))


def test_a_filter_that_finds_nothing_does_not_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sync_environment("test")

    def unwanted() -> Shop:
        raise AssertionError("the supplier was asked")

    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", unwanted))
    Plan.objects.filter(region="africa").delete()
    assert list_plans("test", "EUR", PlanFilters(region="africa"), 1, 20) == ([], 0)


def test_pages_follow_each_other_to_the_end() -> None:
    everything, total = list_plans("test", "EUR", ANY, 1, 100_000)
    size = total - 1
    first, second, third = (list_plans("test", "EUR", ANY, page, size) for page in (1, 2, 3))
    assert [plan.pk for plan in (*first[0], *second[0])] == [plan.pk for plan in everything]
    assert (len(first[0]), len(second[0]), third[0]) == (size, 1, [])
    assert {first[1], second[1], third[1]} == {total}


def test_behind_a_place_stand_as_many_as_asked_for_and_one_more_where_there_are() -> None:
    everything, total = list_plans("test", "EUR", ANY, 1, 100_000)
    before_all = (None, "", "")
    behind = list_plans_behind("test", "EUR", ANY, before_all, 3)
    assert ([plan.pk for plan in behind[0]], behind[1:]) == ([plan.pk for plan in everything[:4]], (0, total))
    last = list_plans_behind("test", "EUR", ANY, place_of(everything[-3]), 3)
    assert ([plan.pk for plan in last[0]], last[1:]) == (
        [plan.pk for plan in everything[-2:]],
        (total - 2, total),
    )


def test_before_the_first_plan_stand_none_while_a_sync_adds_plans(
    catalogue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Plan.objects.count() - 1
    Plan.objects.filter(pk__in=Plan.objects.all()[:1]).update(withdrawn_at=clock.now())
    count = QuerySet.count

    def then_a_sync_ends(plans: QuerySet[Plan]) -> int:
        counted = count(plans)
        Plan.objects.update(withdrawn_at=None)
        return counted

    monkeypatch.setattr(QuerySet, "count", then_a_sync_ends)
    assert list_plans_behind("test", "EUR", ANY, (None, "", ""), 3)[1:] == (0, known)


def test_a_page_costs_two_statements(django_assert_num_queries: Callable[[int], Any]) -> None:
    sync_environment("test")
    with django_assert_num_queries(2):
        list_plans("test", "EUR", ANY, 1, 5)


def test_a_page_beyond_the_last_plan_is_not_read(django_assert_num_queries: Callable[[int], Any]) -> None:
    _, total = list_plans("test", "EUR", ANY, 1, 1)
    for page, size in ((2, total), (10**18, 100)):
        with django_assert_num_queries(1):
            assert list_plans("test", "EUR", ANY, page, size) == ([], total)


def test_a_sandbox_is_filled_once() -> None:
    assert [fill_empty_sandbox("test"), fill_empty_sandbox("test")] == [True, False]


def test_a_sandbox_without_plans_whose_simulator_is_away_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_judge("http://127.0.0.1:1", monkeypatch.setitem)
    reply = api.get("/v1/esim/plans")
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")


def test_a_real_supplier_is_not_asked_by_a_reader(settings) -> None:
    settings.SUPPLIERS = {"esim": {"live": "vendor"}}
    assert list_plans("live", "EUR", ANY, 1, 20) == ([], 0)
