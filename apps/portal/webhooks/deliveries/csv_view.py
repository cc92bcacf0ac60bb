"""The deliveries as a CSV file, by the filters of the list."""

from functools import partial
from typing import Any

from django.http import QueryDict

from apps.common import keyset
from apps.common.clock import rfc3339
from apps.portal.csv_files import CsvFileView, CsvSource
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


class DeliveryFileView(CsvFileView):
    section = "webhooks"
    list_name = page_name = "deliveries"

    def source(self, given: QueryDict) -> tuple[DeliveryFilters, CsvSource]:
        account_id, environment = self.portal.account_id, self.portal.environment
        form = DeliveryFilters(given, endpoints=list(endpoints_of(account_id, environment)))
        deliveries = selected(account_id, environment, form.filters())
        shown = deliveries.select_related("endpoint").defer(*SECRETS)
        return form, CsvSource(COLUMNS, partial(keyset.page_of, shown), row_of, counted=deliveries)


def row_of(delivery: Delivery) -> list[Any]:
    return [
        *(delivery.pk, delivery.event_id, delivery.event_type, delivery.endpoint_id, delivery.endpoint.url),
        *(delivery.status, delivery.attempt_count, rfc3339(delivery.created_at)),
        rfc3339(delivery.completed_at) if delivery.completed_at else "",
    ]
