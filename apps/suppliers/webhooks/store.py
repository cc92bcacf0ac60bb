"""Stores a hint once."""

from dataclasses import astuple, replace
from hashlib import sha256

from apps.suppliers.webhooks.hints import Hint, Unreadable
from apps.suppliers.webhooks.models import SupplierEvent

LONGEST = 255


def store(supplier: str, hint: Hint) -> bool:
    """Store the hint. Returns False when it was stored before. Raises Unreadable for what no column can hold."""
    refuse_unstorable(hint)
    if len(hint.event_id) > LONGEST:
        hint = replace(hint, event_id=sha256(hint.event_id.encode()).hexdigest())
    _, is_new = SupplierEvent.objects.get_or_create(
        supplier=supplier,
        event_id=hint.event_id,
        defaults={
            "kind": hint.kind,
            "supplier_reference": hint.supplier_reference,
            "client_ref": hint.client_ref,
            "offer_id": hint.offer_id,
            "object_id": hint.object_id,
        },
    )
    return is_new


def hint_of(event: SupplierEvent) -> Hint:
    """The stored hint as its vendor gave it."""
    return Hint(
        event_id=event.event_id,
        kind=event.kind,
        supplier_reference=event.supplier_reference,
        client_ref=event.client_ref,
        offer_id=event.offer_id,
        object_id=event.object_id,
    )


def refuse_unstorable(hint: Hint) -> None:
    """JSON can carry what PostgreSQL's text cannot: half a surrogate pair, the character zero, numbers where text is due."""
    if not hint.event_id:
        raise Unreadable("the event has no id")
    for text in astuple(hint):
        if not isinstance(text, str) or "\0" in text:
            raise Unreadable("an id of the event is no text")
        text.encode()  # UnicodeEncodeError is a ValueError, too
    if max(map(len, astuple(replace(hint, event_id="")))) > LONGEST:
        raise Unreadable("an id of the event is too long")
