"""The deliveries as a CSV file, by the filters of the list."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase, QueryDict

from apps.common import keyset
from apps.common.clock import rfc3339
from apps.portal.base_view import PortalView
from apps.portal.csv_files import PAGE_LENGTH, CsvSource, csv_answer
from apps.portal.webhooks.deliveries.forms import DeliveryFilters
from apps.webhooks.delivery_pages import selected
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import SECRETS, endpoints_of

COLUMNS = (
    "id",
    "eventId",
    "eventType",
    "endpointId",
    "url",
    "status",
    "attemptCount",
    "createdAt",
    "completedAt",
)


def source_of(account_id: str, environment: str, given: QueryDict) -> tuple[DeliveryFilters, CsvSource]:
    form = DeliveryFilters(given, endpoints=list(endpoints_of(account_id, environment)))
    deliveries = selected(account_id, environment, form.filters())
    shown = deliveries.select_related("endpoint").defer(*SECRETS)
    return form, CsvSource(
        COLUMNS, lambda cursor: keyset.page_of(shown, cursor, PAGE_LENGTH), row_of, counted=deliveries
    )


class DeliveryFileView(PortalView):
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        portal = self.portal
        form, source = source_of(portal.account_id, portal.environment, request.GET)
        return csv_answer(request, portal, "deliveries", form, source, back=portal.reverse("deliveries"))


def row_of(delivery: Delivery) -> list[Any]:
    return [
        *(delivery.pk, delivery.event_id, delivery.event_type, delivery.endpoint_id, delivery.endpoint.url),
        *(delivery.status, delivery.attempt_count, rfc3339(delivery.created_at)),
        rfc3339(delivery.completed_at) if delivery.completed_at else "",
    ]
