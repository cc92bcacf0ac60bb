"""What every eSIM supplier keeps to, whoever it is."""

import re
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

from apps.common import clock
from apps.common.validators import COUNTRIES
from apps.esim.suppliers.base import (
    REGIONS,
    USAGE_STATUSES,
    EsimOrder,
    EsimSupplier,
    OrderRequest,
    SupplierPlan,
    TopUpPlan,
    TopUpRequest,
)
from apps.esim.suppliers.simulator.profiles import luhn_digit
from apps.suppliers.errors import Expired, Missing, PriceChanged
from tests.esim.suppliers.contract import CASES, Case

pytestmark = pytest.mark.django_db


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    with CASES[request.param]() as case:
        yield case


@pytest.fixture
def supplier(case: Case) -> EsimSupplier:
    return case.supplier


@pytest.fixture
def plan(supplier: EsimSupplier) -> SupplierPlan:
    """The cheapest plan of one country."""
    return min((p for p in supplier.plans() if p.region is None), key=lambda p: p.price_cents)


def request_for(plan: SupplierPlan) -> OrderRequest:
    return OrderRequest(f"ref-{uuid4().hex}", plan.supplier_plan_id, plan.price_cents)


def test_the_catalogue_is_in_our_words(supplier: EsimSupplier) -> None:
    plans = supplier.plans()
    assert len({plan.supplier_plan_id for plan in plans}) == len(plans)
    for plan in plans:
        assert plan.price_cents > 0
        assert plan.validity_days > 0
        assert plan.data_mb is None or plan.plan_type != "unlimited"
        assert plan.data_mb is not None or plan.plan_type != "data"
        assert (plan.voice_minutes > 0 or plan.sms_count > 0) == (plan.plan_type == "voice_sms")
        assert plan.region in REGIONS if plan.region else len(plan.countries) == 1
        assert set(plan.countries) <= COUNTRIES
        assert [covered.country for covered in plan.coverage] == list(plan.countries)
        assert all(covered.networks for covered in plan.coverage)


def test_an_order_brings_a_profile_that_can_be_installed(supplier: EsimSupplier, plan: SupplierPlan) -> None:
    order = supplier.order(request_for(plan))
    assert (order.supplier_plan_id, order.price_cents, order.currency, order.cancelled) == (
        plan.supplier_plan_id,
        plan.price_cents,
        plan.currency,
        False,
    )
    assert order.profile is not None
    assert re.fullmatch(r"89[0-9]{16,18}", order.profile.iccid)
    assert order.profile.iccid[-1] == str(luhn_digit(order.profile.iccid[:-1]))
    assert order.profile.lpa == f"LPA:1${order.profile.smdp_address}${order.profile.matching_id}"
    assert re.fullmatch(r"LPA:1\$[a-z0-9.-]+\$[A-Z0-9-]+", order.profile.lpa)


def test_no_two_orders_share_a_profile(supplier: EsimSupplier, plan: SupplierPlan) -> None:
    profiles = [supplier.order(request_for(plan)).profile for _ in range(3)]
    assert len({(profile.iccid, profile.matching_id) for profile in profiles if profile}) == 3


def test_an_order_is_found_by_our_reference_and_read_by_theirs(supplier, plan):
    request = request_for(plan)
    order = supplier.order(request)
    assert supplier.find_order(request.client_ref) == order
    assert supplier.read_order(order.supplier_reference) == order


def test_an_unsent_reference_finds_nothing(supplier: EsimSupplier) -> None:
    assert supplier.find_order("ref-never-sent") is None


def test_an_unknown_order_is_missing(supplier: EsimSupplier) -> None:
    for call in (supplier.read_order, lambda reference: supplier.usage(reference, "8999")):
        with pytest.raises(Missing):
            call("nobody-knows-it")


def test_a_plan_that_is_not_sold_says_expired(supplier: EsimSupplier) -> None:
    with pytest.raises(Expired):
        supplier.order(OrderRequest("ref-x", "no-such-plan", 100))


def test_a_sold_out_plan_says_expired(case: Case, plan: SupplierPlan) -> None:
    case.sell_out()
    request = request_for(plan)
    with pytest.raises(Expired):
        case.supplier.order(request)
    assert case.supplier.find_order(request.client_ref) is None


def test_a_raised_price_is_told_and_nothing_is_bought(case: Case, plan: SupplierPlan) -> None:
    case.raise_prices()
    now = next(p for p in case.supplier.plans() if p.supplier_plan_id == plan.supplier_plan_id)
    assert now.price_cents > plan.price_cents
    request = request_for(plan)
    with pytest.raises(PriceChanged) as raised:
        case.supplier.order(request)
    assert raised.value.current_cents == now.price_cents
    assert case.supplier.find_order(request.client_ref) is None


def test_usage_of_a_fresh_profile_is_nothing_of_what_the_plan_holds(supplier, plan):
    order = supplier.order(request_for(plan))
    assert order.profile is not None
    usage = supplier.usage(order.supplier_reference, order.profile.iccid)
    assert usage.status in USAGE_STATUSES
    assert (usage.total_mb, usage.used_mb) == (plan.data_mb, 0)


class TestTopUps:
    @pytest.fixture
    def order(self, supplier: EsimSupplier, plan: SupplierPlan) -> EsimOrder:
        return supplier.order(request_for(plan))

    def wanted(self, supplier: EsimSupplier, order: EsimOrder) -> tuple[TopUpPlan, TopUpRequest]:
        """The cheapest one."""
        reference, iccid = order.supplier_reference, profile_of(order)
        plan = min(supplier.top_up_plans(reference, iccid), key=lambda p: p.price_cents)
        ref = f"ref-{uuid4().hex}"
        return plan, TopUpRequest(
            ref, reference, iccid, plan.supplier_plan_id, plan.price_cents, clock.now(), (reference,)
        )

    def test_what_can_be_added_is_in_our_words(self, supplier: EsimSupplier, order: EsimOrder) -> None:
        plans = supplier.top_up_plans(order.supplier_reference, profile_of(order))
        assert plans
        assert len({plan.supplier_plan_id for plan in plans}) == len(plans)
        for plan in plans:
            assert (plan.plan_type, plan.currency) == ("data", order.currency)
            assert plan.price_cents > 0
            assert plan.validity_days > 0
            assert plan.data_mb

    def test_it_is_added_found_by_our_reference_and_read_by_theirs(self, supplier, order):
        plan, request = self.wanted(supplier, order)
        assert supplier.find_top_up(request) is None
        top_up = supplier.top_up(request)
        assert (top_up.supplier_plan_id, top_up.price_cents) == (plan.supplier_plan_id, plan.price_cents)
        assert (top_up.profile, top_up.cancelled, top_up.failed) == (None, False, False)
        assert top_up.supplier_reference != order.supplier_reference
        assert supplier.find_top_up(request) == top_up
        assert supplier.read_order(top_up.supplier_reference) == top_up
        assert supplier.read_order(order.supplier_reference) == order

    def test_usage_adds_up(self, supplier: EsimSupplier, order: EsimOrder) -> None:
        reference, iccid = order.supplier_reference, profile_of(order)
        before = supplier.usage(reference, iccid)
        plan, request = self.wanted(supplier, order)
        supplier.top_up(request)
        after = supplier.usage(reference, iccid)
        assert before.total_mb is not None
        assert plan.data_mb is not None
        assert (after.total_mb, after.used_mb) == (before.total_mb + plan.data_mb, 0)

    def test_one_that_is_no_top_up_says_expired(self, supplier: EsimSupplier, order: EsimOrder) -> None:
        _, request = self.wanted(supplier, order)
        for wrong in (order.supplier_plan_id, "no-such-plan"):
            with pytest.raises(Expired):
                supplier.top_up(replace(request, supplier_plan_id=wrong))
        assert supplier.find_top_up(request) is None

    def test_of_an_unknown_profile_nothing_is_told(self, supplier: EsimSupplier) -> None:
        for ask in (supplier.top_up_plans, supplier.instructions):
            with pytest.raises(Missing):
                ask("nobody-knows-it", "8999")

    def test_how_to_install_is_told_for_both_kinds_of_phone(self, supplier, order):
        told = supplier.instructions(order.supplier_reference, profile_of(order))
        assert told.language == "en"
        assert {guide.platform for guide in told.guides} == {"ios", "android"}
        assert all(guide.qr_code_steps for guide in told.guides)

    def test_its_instructions_come_in_each_of_its_languages(self, supplier, order) -> None:
        languages = type(supplier).languages if hasattr(type(supplier), "languages") else ("en",)
        assert "en" in languages
        for language in ("en", *sorted(languages)[:3]):
            told = supplier.instructions(order.supplier_reference, profile_of(order), language)
            assert told.language == language

    def test_a_refund_is_asked_for_and_the_order_stands_until_it_is_decided(self, supplier, order) -> None:
        reference = order.supplier_reference
        named = supplier.request_refund("E-REFUND-R", reference, profile_of(order), "other", "Not needed.")
        assert isinstance(named, str)
        assert named
        now = supplier.read_order(reference)
        assert (now.cancelled, now.partly_refunded) == (False, False)


def profile_of(order: EsimOrder) -> str:
    assert order.profile is not None
    return order.profile.iccid
