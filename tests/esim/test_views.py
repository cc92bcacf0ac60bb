"""The six operations as a partner calls them."""

from urllib.parse import quote

import pytest

from apps.bookings.models import Booking
from apps.esim.models import Plan
from apps.esim.presenters import DEVICE_NOTE
from tests.esim.shop import an_order
from tests.support.api import Api, Reply

PLANS = "/v1/esim/plans"
ORDERS = "/v1/esim/orders"
OF_THE_CATALOGUE_ALONE = {
    *("coverage", "deviceNote", "activation", "installWithinDays", "fairUsagePolicy", "notes"),
}


def fields_named(reply: Reply) -> list[str]:
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    return [detail["field"] for detail in reply.error["details"]]


class TestPlans:
    def test_a_plan_says_what_it_is_and_what_it_costs(self, api: Api, plan: Plan) -> None:
        reply = api.get(f"{PLANS}/{plan.id}")
        assert (reply.status, reply.body) == (
            200,
            {
                "id": plan.id,
                "name": "Portugal 1 GB, 7 days",
                "planType": "data",
                "countries": ["PT"],
                "region": None,
                "dataMb": 1024,
                "validityDays": 7,
                "voiceMinutes": 0,
                "smsCount": 0,
                "priceCents": 411,
                "currency": "EUR",
                "priceBasis": "net",
                "suggestedRetailCents": 452,
                "coverage": [{"country": "PT", "networks": ["Portugal Cellular"]}],
                "deviceNote": DEVICE_NOTE,
                "activation": "first_use",
                "installWithinDays": 365,
                "fairUsagePolicy": None,
                "notes": [],
            },
        )

    def test_a_country_finds_its_own_plans_first_and_those_of_its_regions(self, api: Api, catalogue) -> None:
        plans = api.get(f"{PLANS}?country=PT&pageSize=100").body["data"]
        assert [plan["region"] for plan in plans] == [None] * 8 + ["europe"] * 10
        assert all("PT" in plan["countries"] for plan in plans)
        assert api.get(f"{PLANS}?country=JP").body["total"] == 0

    @pytest.mark.parametrize(
        ("query", "total"),
        [
            ("region=europe", 10),
            ("region=oceania&planType=data", 6),
            ("planType=unlimited", 8),
            ("planType=voice_sms", 6),
            ("country=ES&planType=voice_sms", 3),
            ("country=ES&region=oceania", 0),
            ("region=africa", 0),
            ("unknown=1", 36),
        ],
    )
    def test_filters_narrow_the_catalogue(self, api: Api, catalogue, query: str, total: int) -> None:
        body = api.get(f"{PLANS}?{query}&pageSize=100").body
        assert (body["total"], len(body["data"])) == (total, total)

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ("country=XX", "country"),
            ("country=pt", "country"),
            ("country=", "country"),
            ("region=atlantis", "region"),
            ("planType=voice", "planType"),
            ("page=0", "page"),
            ("page=1000001", "page"),
            ("page=one", "page"),
            ("pageSize=0", "pageSize"),
            ("pageSize=101", "pageSize"),
        ],
    )
    def test_a_query_out_of_bounds_is_named(self, api: Api, catalogue, query: str, field: str) -> None:
        assert fields_named(api.get(f"{PLANS}?{query}")) == [field]

    def test_a_test_key_does_not_see_a_live_plan(self, api: Api, plan: Plan) -> None:
        Plan.objects.filter(pk=plan.pk).update(environment="live")
        assert api.get(f"{PLANS}/{plan.id}").status == 404
        assert api.post(ORDERS, {"planId": plan.id}).status == 404


class TestOrders:
    def test_an_order_answers_all_that_a_traveller_needs(self, api: Api, plan: Plan) -> None:
        reply = api.post(ORDERS, {"planId": plan.id, "externalReference": "trip-1"})
        booking = Booking.objects.get()
        profile = booking.details["profile"]
        assert reply.status == 201
        order = reply.body
        assert order["createdAt"] <= order["updatedAt"]
        assert order["activation"].pop("qrSvgUrl").startswith(f"http://127.0.0.1:8000/esim/qr/{booking.id}.")
        plan_sold = {
            name: value
            for name, value in api.get(f"{PLANS}/{plan.id}").body.items()
            if name not in OF_THE_CATALOGUE_ALONE
        }
        lpa = f"LPA:1${profile['smdp_address']}${profile['matching_id']}"
        assert order == {
            "id": booking.id,
            "reference": booking.reference,
            "externalReference": "trip-1",
            "tripReference": None,
            "status": "provisioned",
            "environment": "test",
            "totalCents": 411,
            "currency": "EUR",
            "createdAt": order["createdAt"],
            "updatedAt": order["updatedAt"],
            "supplier": {"name": "simulator", "reference": booking.supplier_reference},
            "purchaseId": booking.id,
            "plan": plan_sold,
            "iccid": profile["iccid"],
            "activation": {
                "lpa": lpa,
                "smdpAddress": profile["smdp_address"],
                "matchingId": profile["matching_id"],
                "confirmationCode": None,
                "directAppleInstallationUrl": (
                    f"https://esimsetup.apple.com/esim_qrcode_provisioning?carddata={lpa}"
                ),
                "androidInstallUrl": (
                    f"https://esimsetup.android.com/esim_qrcode_provisioning?carddata={quote(lpa, safe='')}"
                ),
            },
            "refundRequest": None,
            "cancellation": None,
        }
        assert booking.id.startswith("eord_")
        assert booking.reference.startswith("E-")

    def test_an_order_keeps_the_plan_as_it_was_sold(self, api: Api, plan: Plan) -> None:
        order = an_order(api, plan)
        Plan.objects.filter(pk=plan.pk).update(price_cents=9_999, name="Another name")
        assert api.get(f"{ORDERS}/{order['id']}").body["plan"] == order["plan"]

    @pytest.mark.parametrize(
        ("body", "fields"),
        [
            ({}, ["planId"]),
            ({"planId": ""}, ["planId"]),
            ({"planId": "plan_1", "settlement": "x"}, ["settlement"]),
            ({"planId": "plan_1", "externalReference": ""}, ["externalReference"]),
            ({"planId": "plan_1", "externalReference": "x" * 65}, ["externalReference"]),
            ({"planId": "plan_1", "externalReference": "a\u200bb"}, ["externalReference"]),
            ({"planId": "plan_1", "maxTotalCents": -1}, ["maxTotalCents"]),
            ({"planId": "plan_1", "quantity": 2, "maxTotalCents": 1.5}, ["maxTotalCents", "quantity"]),
        ],
    )
    def test_a_bad_body_names_what_is_wrong(self, api: Api, catalogue, body: dict, fields: list[str]) -> None:
        assert sorted(fields_named(api.post(ORDERS, body))) == fields

    @pytest.mark.parametrize("plan_id", ["plan_00000000000000000000000000", "no such plan", "x" * 255])
    def test_an_unknown_plan_is_not_found(self, api, partner, catalogue, plan_id):
        reply = api.post(ORDERS, {"planId": plan_id})
        assert (reply.status, reply.error_type) == (404, "not_found")
        assert Booking.objects.count() == 0
