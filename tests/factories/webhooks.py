from collections.abc import Mapping
from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.common.encryption import encrypt
from apps.webhooks.events import BOOKING_CONFIRMED, Fact, emit_many
from apps.webhooks.models import Delivery, Endpoint, Event, new_event_id
from apps.webhooks.signatures import new_secret
from tests.factories.accounts import AccountFactory


class EndpointFactory(DjangoModelFactory[Endpoint]):
    class Meta:
        model = Endpoint

    account = factory.SubFactory(AccountFactory)
    environment = "test"
    url = "https://hooks.partner.example/hooks"
    events = factory.LazyFunction(lambda: [BOOKING_CONFIRMED])
    secret_encrypted = factory.LazyFunction(lambda: encrypt(new_secret()))


class EventFactory(DjangoModelFactory[Event]):
    class Meta:
        model = Event

    id = factory.LazyFunction(new_event_id)
    account = factory.SubFactory(AccountFactory)
    environment = "test"
    type = BOOKING_CONFIRMED
    payload = factory.LazyAttribute(lambda event: f'{{"id":"{event.id}","type":"{event.type}"}}')


class DeliveryFactory(DjangoModelFactory[Delivery]):
    """Due now unless told otherwise; the event belongs to the endpoint's account."""

    class Meta:
        model = Delivery

    endpoint = factory.SubFactory(EndpointFactory)
    account = factory.SelfAttribute("endpoint.account")
    environment = factory.SelfAttribute("endpoint.environment")
    event = factory.SubFactory(
        EventFactory,
        account=factory.SelfAttribute("..endpoint.account"),
        environment=factory.SelfAttribute("..endpoint.environment"),
    )
    event_type = factory.SelfAttribute("event.type")


def emit(*, type: str, data: Mapping[str, object], **event: Any) -> str:
    """Write one event and its deliveries. Returns the event's id."""
    return emit_many(facts=[Fact(type, data)], **event)[0]
