"""The six eSIM operations, and the QR code's picture beside them."""

import pycountry
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.bookings.selectors import booking_of
from apps.common import errors
from apps.esim import plan_pages, presenters, qr, serializers
from apps.esim.plan_pages import plan_page
from apps.esim.regions import REGIONS
from apps.esim.selectors import PlanFilters, plan_on_sale
from apps.esim.services.order import order_esim
from apps.esim.services.usage import read_usage
from apps.esim.suppliers.base import PLAN_TYPES
from apps.gateway import sandbox
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.pagination import read_filters
from apps.gateway.routes import QueryParameter, RateClass, Route, action
from apps.gateway.views import GatewayViewSet

STATUSES = ("pending", "provisioned", "cancelled", "failed")
COUNTRIES = tuple(country.alpha_2 for country in pycountry.countries)
PLAN_PARAMETERS = (
    QueryParameter(
        "country",
        {"type": "string", "pattern": "^[A-Z]{2}$"},
        "Only plans that work in this country, those of its regions included. ISO 3166-1 alpha-2 code in capitals, such as `PT`.",
    ),
    QueryParameter(
        "region", {"type": "string", "enum": list(REGIONS)}, "Only plans that are sold for this region."
    ),
    QueryParameter(
        "planType",
        {"type": "string", "enum": list(PLAN_TYPES)},
        "Only plans of this kind: an amount of data, data without a limit, or with minutes and messages.",
    ),
    *plan_pages.PARAMETERS,
)


class EsimPlanViewSet(GatewayViewSet):
    handle = "The plan's id, `plan_…`, from the catalogue."

    @Route(
        "listEsimPlans",
        scope="esim:read",
        rate_class=RateClass.READ,
        answer=serializers.EsimPlanPage,
        query=PLAN_PARAMETERS,
        errors=(errors.InvalidRequest,),
    )
    def list(self, call: Call) -> Answer:
        """List eSIM plans at your net price.

        From our own catalogue; free of charge. Read it by page number, or by cursor as the other lists are read: then a plan that
        comes or goes meanwhile shifts no other one.
        """
        return Answer(plan_page(call, read_plan_filters(call)))

    @Route(
        "getEsimPlan",
        scope="esim:read",
        rate_class=RateClass.READ,
        answer=serializers.EsimPlanAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, call: Call, plan_id: str) -> Answer:
        """Read an eSIM plan."""
        partner = call.partner
        plan = plan_on_sale(partner.environment, plan_id, partner.currency)
        return Answer(presenters.plan_json(plan, partner))


def read_plan_filters(call: Call) -> PlanFilters:
    """The catalogue's filters; 400 for a country, region or kind that there is not."""
    country = call.request.GET.get("country")
    if country is not None and country not in COUNTRIES:
        raise errors.InvalidRequest.field("country", "is not an ISO 3166-1 alpha-2 code")
    named = read_filters(call, {"region": tuple(REGIONS), "planType": PLAN_TYPES})
    return PlanFilters(country, named.get("region"), named.get("planType"))


def order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking))


def new_order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), 201)


class EsimOrderViewSet(GatewayViewSet):
    handle = "The order's id, `eord_…`."

    @Route(
        "createEsimOrder",
        scope="esim:book",
        rate_class=RateClass.BOOKING,
        body=serializers.EsimOrderBody,
        answer=serializers.EsimOrderAnswer,
        status=201,
        also={200: serializers.EsimOrderAnswer},
        triggers=sandbox.AT_BOOKING - sandbox.AT_HANDLE,
        errors=(
            errors.InsufficientFunds,
            errors.PaymentFailed,
            errors.NotFound,
            errors.PriceChanged,
            errors.Conflict,
            errors.OfferExpired,
            errors.UpstreamError,
        ),
    )
    def create(self, call: Call) -> Answer:
        """Order an eSIM.

        Some operators deliver a few seconds later: the order is `pending` then, with its funds held, and `esim.provisioned` tells
        when it is ready. An externalReference that was used before answers the existing order with 200.
        """
        booking, made_now = order_esim(
            caller=call.caller_answered_by(new_order_answer),
            plan_id=call.data["planId"],
            external_reference=call.data.get("externalReference"),
            max_total_cents=call.data.get("maxTotalCents"),
        )
        return new_order_answer(booking) if made_now else order_answer(booking)

    @Route(
        "listEsimOrders",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimOrderPage,
        query=list_parameters(STATUSES),
    )
    def list(self, call: Call) -> Answer:
        """List eSIM orders, newest first."""
        return listed(call, Product.ESIM, presenters.order_json, listing="esimOrders", statuses=STATUSES)

    @Route(
        "getEsimOrder",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimOrderAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, call: Call, order_id: str) -> Answer:
        """Read an eSIM order."""
        return order_answer(booking_of(call.partner, Product.ESIM, order_id))

    @action(detail=True, methods=["get"])
    @Route(
        "getEsimUsage",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimUsageAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.NotFound, errors.Conflict),
    )
    def usage(self, call: Call, order_id: str) -> Answer:
        """Read the live data usage of an eSIM.

        While the supplier is unreachable: the last known values, with `status` null. An order without a profile is a conflict.
        """
        booking = booking_of(call.partner, Product.ESIM, order_id)
        return Answer(presenters.usage_json(booking, read_usage(caller=call.caller, booking=booking)))


@require_safe
def qr_picture(_request: HttpRequest, token: str) -> HttpResponse:
    """The QR code at an address that an order's answer gave (`apps.esim.qr`)."""
    code = qr.activation_code(token)
    if code is None:
        raise Http404
    response = HttpResponse(qr.qr_svg(code), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=86400"
    response["Content-Security-Policy"] = "default-src 'none'"
    return response
