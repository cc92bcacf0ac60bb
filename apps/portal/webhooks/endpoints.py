"""The endpoints: their list, the page of one, changes to it, and its signing secret."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import IntegerField, QuerySet
from django.db.models.expressions import RawSQL
from django.forms.boundfield import BoundWidget
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock, zones
from apps.common.errors import InvalidRequest
from apps.common.querysets import MOST, capped_words
from apps.portal.base import GET_AND_POST, PortalView
from apps.portal.charts import HOURS, Line, last_hours, sparkline
from apps.portal.context import DEVELOPERS
from apps.portal.forms import (
    ConfirmView,
    FormView,
    ObjectActionView,
    ObjectFormView,
    ObjectView,
    Question,
    SecretView,
    show_secret,
)
from apps.portal.notifications.tell import choice_of, choose_also
from apps.portal.notifications.troubles import Kind
from apps.webhooks.deliveries.record import MAX_CONSECUTIVE_FAILURES
from apps.webhooks.endpoint_health import Health, endpoints_with_health
from apps.webhooks.events import CATALOGUE, EMITTED
from apps.webhooks.lists import page_of_deliveries
from apps.webhooks.models import RETENTION, UNDER_WAY, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import (
    DeliveryQuery,
    EndpointHour,
    deliveries_by_endpoint_and_hour,
    endpoint_of,
    endpoints_of,
    recoveries_of,
    recoveries_to,
)
from apps.webhooks.services.endpoints import (
    MAX_ENDPOINTS,
    OVERLAP,
    create_endpoint,
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    rotate_secret,
    update_endpoint,
)
from apps.webhooks.services.recover import (
    DEFAULT_PER_MINUTE,
    Selection,
    awaiting_next_attempt,
    outage_began_at,
    preview,
)
from apps.webhooks.services.send_test import send_test
from apps.webhooks.target import MAX_LENGTH

MISSED, WAITING = "missed", "waiting"
WHAT = {
    WAITING: "Pending and retrying",
    "exhausted": "Failed: all 7 attempts used",
    "failed": "Failed: the endpoint returned 410 or rejected a resend",
    MISSED: "Missed: while the endpoint was disabled",
}
NOTES = {event.name: event.note for event in CATALOGUE if event.subscribable}


class EndpointForm(forms.Form):
    url = forms.CharField(
        label="URL",
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"class": "mono", "inputmode": "url", "autocomplete": "off", "placeholder": "https://"}
        ),
        help_text="An HTTPS URL that can be reached from the internet.",
    )
    events = forms.MultipleChoiceField(
        choices=[(name, name) for name in NOTES],
        initial=[name for name in NOTES if name in EMITTED],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )
    description = forms.CharField(
        required=False, max_length=255, help_text="For your own use, such as the name of the system."
    )

    def emitted(self) -> list[tuple[BoundWidget, str]]:
        """The events that are sent today, each with its note."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] in EMITTED]

    def silent(self) -> list[tuple[BoundWidget, str]]:
        """The events that are never sent today. The note says where to look instead."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] not in EMITTED]

    def a_silent_one_is_chosen(self) -> bool:
        return any(choice.data["selected"] for choice, _ in self.silent())

    def _choices(self) -> list[tuple[BoundWidget, str]]:
        return [(choice, NOTES[choice.data["value"]]) for choice in self["events"].subwidgets]


class NewEndpointForm(EndpointForm):
    mail_me = forms.BooleanField(
        label="Email me when deliveries to this endpoint fail",
        required=False,
        help_text="Also when 10 failures disable it. Applies to all endpoints; you can turn it off under Notifications.",
    )

    def __init__(self, data: Any = None, *, is_mailed: bool) -> None:
        """`is_mailed`: this was chosen before, so it is not offered."""
        super().__init__(data)
        if is_mailed:
            del self.fields["mail_me"]


MAILED = (Kind.ENDPOINT_FAILING, Kind.ENDPOINT_DISABLED)


class RotateSecretForm(forms.Form):
    OVERLAP, IMMEDIATE = "overlap", "immediate"
    when = forms.ChoiceField(
        label="The current secret",
        choices=[
            (OVERLAP, "Both sign for 24 hours, so you can deploy the new one"),
            (IMMEDIATE, "At once: choose this if the secret has leaked"),
        ],
        initial=OVERLAP,
        widget=forms.RadioSelect,
    )

    @property
    def immediate(self) -> bool:
        return bool(self.cleaned_data["when"] == self.IMMEDIATE)


MANY_FAILURES = 7
"""From here on the pages warn. Ten failures in a row disable an endpoint."""
TIME_TO_CHOOSE = timedelta(hours=1)
"""The oldest hour of the history may be pruned before the form about it is sent."""


@dataclass(frozen=True)
class EndpointState:
    endpoint: Endpoint
    health: Health
    now: datetime
    hours: tuple[EndpointHour, ...]
    """The last 24, the oldest first, with the hours without a delivery."""
    pending: int = 0
    """Its unfinished deliveries, whenever they began; no more than MOST + 1 are counted."""

    most_failures = MAX_CONSECUTIVE_FAILURES
    overlap_seconds = int(OVERLAP.total_seconds())

    @cached_property
    def delivered(self) -> int:
        return sum(hour.delivered for hour in self.hours)

    @cached_property
    def ended(self) -> int:
        return sum(hour.ended for hour in self.hours)

    @cached_property
    def unfinished(self) -> int:
        return sum(hour.unfinished for hour in self.hours)

    @property
    def total(self) -> int:
        return self.delivered + self.ended + self.unfinished

    @property
    def pending_words(self) -> str:
        return capped_words(self.pending)

    @property
    def events_words(self) -> str:
        names = self.endpoint.events
        return names[0] if len(names) == 1 else f"{len(names)} events"

    @property
    def line(self) -> str:
        says = f"{self.delivered:,} of {self.total:,} deliveries of the last {HOURS} hours delivered"
        lines = [
            Line("Delivered", [hour.delivered for hour in self.hours], tone="good"),
            Line("Pending", [hour.unfinished for hour in self.hours], tone="warn"),
            Line("Failed", [hour.ended for hour in self.hours], tone="bad"),
        ]
        return sparkline(lines, says=says)

    @property
    def is_enabled(self) -> bool:
        return self.endpoint.status == EndpointStatus.ENABLED

    @property
    def is_failing(self) -> bool:
        """Whether it is sent deliveries now, and refuses or misses them all."""
        return self.is_enabled and self.health.is_failing

    @property
    def failing_words(self) -> str:
        return self.health.failing_words(self.now) if self.is_enabled else ""

    @property
    def pill(self) -> str:
        """The state to show: `enabled` only if the latest attempt was accepted, or nothing was sent."""
        if not self.is_enabled:
            return str(self.endpoint.status)
        if self.health.is_failing:
            return "failing"
        return "last_attempt_failed" if self.health.failures else "enabled"

    @property
    def needs_attention(self) -> bool:
        return not self.is_enabled or self.is_failing or self.failures_tone == "bad"

    @property
    def urgency(self) -> int:
        """The place in the list: failing before disabled for its failures before all others."""
        if self.is_failing:
            return 0
        return 1 if self.endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES else 2

    @property
    def failures_tone(self) -> str:
        count = self.endpoint.consecutive_failures
        if count >= MANY_FAILURES:
            return "bad"
        return "warn" if count else "good"

    @property
    def both_sign_until(self) -> datetime | None:
        """When the overlap of a rotation ends; None without a rotation."""
        until = self.endpoint.previous_secret_expires_at
        return until if until and until > self.now else None

    @property
    def overlap_left(self) -> int:
        """Seconds."""
        return int((self.both_sign_until - self.now).total_seconds()) if self.both_sign_until else 0


def missed_since(endpoint: Endpoint) -> datetime | None:
    """Since when a disabled endpoint may have missed events, within the kept history; None for an enabled endpoint."""
    began = outage_began_at(endpoint)
    return began and max(began, clock.now_here() - RETENTION + TIME_TO_CHOOSE)


PENDING = """
SELECT count(*) FROM (SELECT FROM webhooks_delivery AS d
                       WHERE d.endpoint_id = webhooks_endpoint.id AND d.account_id = webhooks_endpoint.account_id
                         AND d.next_attempt_at IS NOT NULL LIMIT %s) AS pending"""


def endpoint_states(
    account_id: str, environment: str, endpoints: QuerySet[Endpoint], now: datetime
) -> list[EndpointState]:
    """Those that need attention first. Two queries, however many endpoints; `now` is the time there."""
    hours = last_hours(now)
    counted = deliveries_by_endpoint_and_hour(account_id, environment, since=hours[0])
    states = []
    counted_there = endpoints.annotate(pending=RawSQL(PENDING, [MOST + 1], IntegerField()))  # noqa: S611 - no text of a caller
    for endpoint, health in endpoints_with_health(counted_there, now):
        by_hour = {found.hour: found for found in counted.get(endpoint.pk, [])}
        whole_day = tuple(by_hour.get(hour, EndpointHour(hour, 0, 0, 0)) for hour in hours)
        states.append(EndpointState(endpoint, health, now, whole_day, endpoint.pending))  # type: ignore[attr-defined]
    return sorted(states, key=lambda state: state.urgency)


MOST_ALERTS = 3
"""Above the list. Its rows and the pages of the endpoints have the same."""


class WebhooksView(PortalView):
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.stored
        endpoints = endpoints_of(account_id, environment)
        states = endpoint_states(account_id, environment, endpoints, clock.now_here())
        return self.render(
            "portal/webhooks/index.html",
            {
                "states": states,
                "attention": [state for state in states if state.needs_attention][:MOST_ALERTS],
                "rotating": [state for state in states if state.both_sign_until],
                "recoveries": list(recoveries_of(account_id, environment).filter(status__in=UNDER_WAY)),
                "most": MAX_ENDPOINTS,
                "is_full": len(states) >= MAX_ENDPOINTS,
            },
        )


RECENT = 10


class EndpointView(ObjectView[Endpoint]):
    section = "webhooks"

    name, find = "endpoint", staticmethod(endpoint_of)


class EndpointDetailView(EndpointView):
    template = "portal/webhooks/endpoints/detail.html"

    def extra_context(self) -> dict[str, Any]:
        endpoint = self.object
        account_id, environment = self.portal.stored
        alone = endpoints_of(account_id, environment).filter(pk=endpoint.pk)
        states = endpoint_states(account_id, environment, alone, clock.now_here())
        if not states:  # it was deleted meanwhile
            raise Http404
        filters = DeliveryQuery(endpoint_id=endpoint.pk)
        recent = page_of_deliveries(account_id, environment, filters=filters, length=RECENT)
        return {
            "state": states[0],
            "events": [(name, NOTES.get(name, "")) for name in endpoint.events],
            "deliveries": recent.rows,
            "waiting": awaiting_next_attempt(endpoint).count(),
            "recoveries": list(recoveries_to(endpoint)[:RECENT]),
        }


class EndpointFormView(EndpointView, ObjectFormView[Endpoint]):
    allowed_roles = DEVELOPERS


class EndpointEditView(EndpointFormView):
    template, form_class = "portal/webhooks/endpoints/edit.html", EndpointForm
    reauthenticated_methods = GET_AND_POST

    def initial(self) -> dict[str, Any]:
        return {name: getattr(self.object, name) for name in EndpointForm.base_fields}

    def save(self, form: EndpointForm) -> HttpResponse:
        update_endpoint(endpoint=self.object, actor=self.actor, **form.cleaned_data)
        return self.done("Saved. It applies to everything sent from now on.")


class EndpointDisableView(EndpointFormView, ConfirmView[Endpoint]):
    def question(self) -> Question:
        return Question(
            heading="Disable this endpoint?",
            warning=f"Nothing is sent to {self.object.url} until you enable it again.",
            consequences=[
                "Unfinished deliveries wait, and are sent when you enable it.",
                "New events are not delivered in the meantime. You can resend them for 30 days.",
            ],
            button="Disable the endpoint",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        disable_endpoint(endpoint=self.object, actor=self.actor)
        return self.done("The endpoint is disabled.")


class EndpointDeleteView(EndpointFormView, ConfirmView[Endpoint]):
    def question(self) -> Question:
        return Question(
            heading="Delete this endpoint?",
            warning=f"Nothing will be sent to {self.object.url} any more.",
            consequences=[
                "You cannot undo this: its secrets are erased.",
                "Unfinished deliveries end as failed.",
                "The history of its deliveries stays available for 30 days.",
            ],
            button="Delete the endpoint",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        delete_endpoint(endpoint=self.object, actor=self.actor)
        messages.success(self.request, f"{self.object.url} is deleted.")
        return redirect(self.portal.reverse("webhooks"))


class EndpointEnableView(EndpointView, ObjectActionView[Endpoint]):
    """Where the endpoint missed events while it was disabled, the next page offers to send them."""

    def act(self) -> HttpResponse:
        endpoint = self.object
        since = missed_since(endpoint)
        enable_endpoint(endpoint=endpoint, actor=self.actor)
        messages.success(self.request, "The endpoint is enabled. Waiting deliveries are being sent.")
        if (
            since is None
            or not preview(endpoint=endpoint, selection=Selection(since, include_missed=True)).total
        ):
            return self.back()
        recover = self.portal.reverse("endpoint_recover", endpoint_id=endpoint.pk)
        asked = [("since", f"{zones.local(since):%Y-%m-%dT%H:%M}"), *(("what", kind) for kind in WHAT)]
        return redirect(f"{recover}?{urlencode([*asked, ('per_minute', DEFAULT_PER_MINUTE)])}")


class EndpointTestView(EndpointView, ObjectActionView[Endpoint]):
    def act(self) -> HttpResponse:
        delivery = send_test(endpoint=self.object)
        return redirect(self.portal.reverse("delivery", delivery_id=delivery.pk))


class EndpointCreateView(FormView):
    section = "webhooks"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class = "portal/webhooks/endpoints/new.html", NewEndpointForm

    def form(self, data: Any = None) -> NewEndpointForm:
        choice = choice_of(self.portal.membership, self.portal.environment)
        return NewEndpointForm(data, is_mailed=choice.wanted.issuperset(MAILED))

    def save(self, form: NewEndpointForm) -> HttpResponse:
        portal = self.portal
        mail_me = form.cleaned_data.pop("mail_me", False)
        endpoint, secret = create_endpoint(
            account_id=portal.account_id,
            environment=portal.environment,
            actor=self.actor,
            **form.cleaned_data,
        )
        if mail_me:
            choose_also(membership=portal.membership, environment=portal.environment, kinds=MAILED)
        return show_secret(self, "endpoint_secret", endpoint.pk, secret)


class EndpointRotateView(EndpointFormView):
    template, form_class = "portal/webhooks/endpoints/rotate.html", RotateSecretForm
    reauthenticated_methods = GET_AND_POST

    def extra_context(self) -> dict[str, Any]:
        until = self.object.previous_secret_expires_at
        return {"both_sign_until": until if until and until > clock.now_here() else None}

    def save(self, form: RotateSecretForm) -> HttpResponse:
        try:
            endpoint, secret = rotate_secret(endpoint=self.object, immediate=form.immediate, actor=self.actor)
        except InvalidRequest as refusal:
            form.add_error("when", f"{refusal.message} Until then only at once.")
            return self.page(form, status=400)
        return show_secret(self, "endpoint_secret", endpoint.pk, secret)


class EndpointSecretView(EndpointView, SecretView):
    """The page after registering or rotating. A second visit redirects to the endpoint's page, which shows no secret."""

    already_shown = "The secret is shown only once. If you lost it, rotate it."

    def get(self, request: HttpRequest) -> HttpResponse:
        secret = self.take_secret(self.object.pk)
        if secret is None:
            return self.back()
        return self.render("portal/webhooks/endpoints/secret.html", {"secret": secret})
