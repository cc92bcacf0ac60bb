"""The deliveries: their filters, their list, its CSV file, the page of one, and sending them again."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.text import Truncator

from apps.common import clock, keyset
from apps.common.clock import rfc3339
from apps.common.errors import Conflict
from apps.portal.base import PortalView
from apps.portal.csv_files import CsvFileView, CsvSource
from apps.portal.forms import ObjectActionView, ObjectView
from apps.portal.lists import CodeField, ListFilters, ListView, any_or, tabs_of
from apps.portal.webhooks.delivery_timeline import delivery_timeline
from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.lists import page_of_deliveries
from apps.webhooks.models import NOT_ACCEPTED, Delivery, DeliveryStatus, Endpoint
from apps.webhooks.selectors import (
    SECRETS,
    DeliveryQuery,
    attempts_of,
    deliveries_of,
    delivery_of,
    endpoints_of,
)
from apps.webhooks.services.resend import Sent, resend, send_now, send_several


def tell_what_was_sent(request: HttpRequest, sent: Sent) -> None:
    tell = messages.success if sent.due else messages.warning
    tell(request, in_words(sent))


def in_words(sent: Sent) -> str:
    said = {
        "{} sent now.": sent.due,
        "{} on the way already.": sent.under_way,
        "{} not sent: the endpoint is disabled.": sent.disabled,
        "{} not sent: it was sent too often.": sent.too_often,
        "{} not found.": sent.unknown,
    }
    return " ".join(sentence.format(count) for sentence, count in said.items() if count)


STATUSES = {
    "": "All",
    DeliveryStatus.PENDING: "Pending",
    DeliveryStatus.RETRYING: "Retrying",
    DeliveryStatus.DELIVERED: "Delivered",
    DeliveryStatus.FAILED: "Failed",
}
"""The states as people know them. The API also distinguishes how a delivery failed: FAILED or EXHAUSTED."""


def statuses_of(shown: str | None) -> Sequence[str] | None:
    """The stored statuses behind a state as it is shown; None for all."""
    if shown in NOT_ACCEPTED:
        return NOT_ACCEPTED
    return [shown] if shown else None


class DeliveryFilters(ListFilters):
    field_order = ["text", "event_type", "endpoint"]

    status = forms.ChoiceField(
        choices=[*STATUSES.items(), (DeliveryStatus.EXHAUSTED, "Failed")],  # in earlier links and saved views
        required=False,
        widget=forms.HiddenInput,
    )
    text = CodeField("Delivery or event id")
    event_type = forms.ChoiceField(
        label="Event", choices=any_or((name, name) for name in (*sorted(EMITTED), TEST)), required=False
    )
    endpoint = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(endpoint.pk, shortened(endpoint.url)) for endpoint in endpoints]
        self.fields["endpoint"].choices = any_or(choices)  # type: ignore[attr-defined]

    def clean_status(self) -> str:
        status: str = self.cleaned_data["status"]
        return DeliveryStatus.FAILED if status == DeliveryStatus.EXHAUSTED else status

    def filters(self, *, status: str | None = None) -> DeliveryQuery:
        """`status` is that of another tab than the chosen one."""
        return DeliveryQuery(
            statuses=statuses_of(self.value("status") if status is None else status),
            called=self.value("text"),
            event_type=self.value("event_type") or None,
            endpoint_id=self.value("endpoint") or None,
            since=self.begins,
            until=self.ends,
        )


def shortened(text: str) -> str:
    return Truncator(text).chars(60)


class DeliveryListView(ListView):
    form_class = DeliveryFilters
    list_name = "deliveries"
    section = "deliveries"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.stored
        endpoints = list(endpoints_of(account_id, environment))
        form = DeliveryFilters(request.GET, endpoints=endpoints)
        if self.newest_seen is not None:
            return self.count_newer(deliveries_of(account_id, environment, form.filters()))
        page = page_of_deliveries(account_id, environment, filters=form.filters(), cursor=self.cursor)
        listed = {
            status: deliveries_of(account_id, environment, form.filters(status=status)) for status in STATUSES
        }
        return self.render_list(
            "portal/webhooks/deliveries/index.html",
            form,
            page,
            has_endpoints=bool(endpoints),
            tabs=tabs_of(STATUSES, listed, form.value("status")),
        )


class DeliveriesSendView(PortalView):
    section = "deliveries"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.back_to_list()

    def post(self, request: HttpRequest) -> HttpResponse:
        ticked = request.POST.getlist("delivery")
        if not ticked:
            messages.warning(request, "Tick the deliveries that you want to send.")
            return self.back_to_list()
        try:
            sent = send_several(*self.portal.stored, ticked)
        except Conflict as refusal:
            messages.error(request, refusal.message)
        else:
            tell_what_was_sent(request, sent)
        return self.back_to_list()

    def back_to_list(self) -> HttpResponse:
        """The page of the list that the form was on."""
        query = self.request.GET.urlencode()
        return redirect(self.portal.reverse("deliveries") + (f"?{query}" if query else ""))


class DeliveryView(ObjectView[Delivery]):
    section = "deliveries"

    name, find = "delivery", staticmethod(delivery_of)


class DeliveryDetailView(DeliveryView):
    template = "portal/webhooks/deliveries/detail.html"

    def extra_context(self) -> dict[str, Any]:
        attempts = list(attempts_of(self.object))
        return {"timeline": delivery_timeline(self.object, attempts, clock.now_here())}


class DeliverySendNowView(DeliveryView, ObjectActionView[Delivery]):
    def act(self) -> HttpResponse:
        send_now(delivery=self.object)
        return self.done("Sending now. The response appears below.")


class DeliveryResendView(DeliveryView, ObjectActionView[Delivery]):
    def act(self) -> HttpResponse:
        resend(delivery=self.object)
        return self.done("Sending again. The response appears below.")


COLUMNS = (
    *("id", "eventId", "eventType", "endpointId", "url", "status", "attemptCount", "createdAt"),
    "completedAt",
)


class DeliveryFileView(CsvFileView):
    section = "deliveries"
    list_name = page_name = "deliveries"

    def source(self, given: QueryDict) -> tuple[DeliveryFilters, CsvSource]:
        account_id, environment = self.portal.stored
        form = DeliveryFilters(given, endpoints=list(endpoints_of(account_id, environment)))
        deliveries = deliveries_of(account_id, environment, form.filters())
        shown = deliveries.select_related("endpoint").defer(*SECRETS)
        return form, CsvSource(COLUMNS, partial(keyset.page_of, shown), row_of, counted=deliveries)


def row_of(delivery: Delivery) -> list[Any]:
    return [
        *(delivery.pk, delivery.event_id, delivery.event_type, delivery.endpoint_id, delivery.endpoint.url),
        *(delivery.status, delivery.attempt_count, rfc3339(delivery.created_at)),
        rfc3339(delivery.completed_at) if delivery.completed_at else "",
    ]
