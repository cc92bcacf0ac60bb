"""GET /v1/hotels/properties/{hotelId}: what is stored of a hotel; what is missing is asked for once, and stored.

So a hotel is described in a language from its first read, and requested again in the background
when it has changed or a week has passed. A supplier that does not answer costs a moment and no error: the hotel is then described
in English, or with what its list says.
"""

import re
from dataclasses import dataclass

from django.core.cache import cache

from apps.bookings.refusals import translated
from apps.common.errors import NotFound
from apps.common.languages import ENGLISH, best_of
from apps.hotels.models import HotelFacts, Property
from apps.hotels.property_store import is_stale, keep_described, want
from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.properties import NOT_DESCRIBED, Details
from apps.hotels.suppliers.registry import hotel_supplier
from apps.keys.partner import Partner
from apps.suppliers.errors import Missing, SupplierError
from apps.suppliers.registry import supplier_name
from apps.suppliers.values import from_json

PLAUSIBLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
UNKNOWN_FOR, UNANSWERED_FOR = 3_600, 60
"""In seconds: how long a supplier is not asked again for a hotel that it does not know, or did not describe."""


@dataclass(frozen=True, slots=True)
class PropertyContent:
    """`details` in `language`; `codes` of ours by what the supplier calls a facility in every language."""

    property: Property
    details: Details
    language: str
    languages: tuple[str, ...]
    codes: dict[str, str]


def read_property(partner: Partner, hotel_id: str, tag: str | None) -> PropertyContent:
    """Raises NotFound for a hotel that is unknown, or that its supplier has taken off; UpstreamUnavailable where nothing is
    stored of it and the supplier does not answer.
    """
    if not PLAUSIBLE_ID.fullmatch(hotel_id):
        raise NotFound
    with translated():
        supplier = hotel_supplier(partner.environment)
        name, language = (
            supplier_name("hotels", partner.environment),
            best_of(supplier.languages, tag or ENGLISH),
        )
        stored = property_of(name, hotel_id)
        facts = facts_of(name, hotel_id, language)
        if language not in facts and (stored is None or stored.deleted_at is None):
            asked = ask(supplier, name, hotel_id, language, stored)
            if asked is not None:
                facts[language] = asked
                stored = property_of(name, hotel_id)
    if stored is None or stored.deleted_at is not None:
        raise NotFound
    refresh(name, hotel_id, language, facts)
    described = {one.language: from_json(Details, one.details) for one in facts.values()}
    english = described.get(ENGLISH, Details())
    details = described.get(language, Details())
    if details == Details():
        language, details = ENGLISH, english
    codes = {one.key: one.code for one in english.facilities if one.code is not None and one.key}
    return PropertyContent(stored, details, language, supplier.languages, codes)


def property_of(supplier_name: str, hotel_id: str) -> Property | None:
    return Property.objects.filter(supplier_name=supplier_name, hotel_id=hotel_id).first()


def facts_of(supplier_name: str, hotel_id: str, language: str) -> dict[str, HotelFacts]:
    """In the language and in English, where the hotel was described in full."""
    rows = HotelFacts.objects.filter(
        supplier_name=supplier_name, hotel_id=hotel_id, language__in={language, ENGLISH}
    )
    return {
        facts.language: facts for facts in rows.defer("amenities", "content") if facts.details is not None
    }


def ask(
    supplier: HotelSupplier, name: str, hotel_id: str, language: str, stored: Property | None
) -> HotelFacts | None:
    """Have the hotel described now, in one bounded call. None where it is not. Raises SupplierError where nothing is stored."""
    silent = f"hotel-not-described:{name}:{hotel_id}:{language}"
    if cache.get(silent) is not None:
        return None
    try:
        described = supplier.describe(hotel_id, language)
    except Missing:
        if stored is None:
            cache.set(silent, 1, UNKNOWN_FOR)
            return None
        described = NOT_DESCRIBED
    except SupplierError:
        if stored is None:
            raise
        cache.set(silent, 1, UNANSWERED_FOR)
        return None
    return keep_described(name, hotel_id, language, described)


def refresh(name: str, hotel_id: str, language: str, facts: dict[str, HotelFacts]) -> None:
    """Have asked for what was described too long ago, and for English, from which codes of facilities are read."""
    stale = [one for one in facts.values() if is_stale(one)]
    unknown = set() if ENGLISH in facts or language == ENGLISH else {hotel_id}
    if stale or unknown:
        want(name, unknown, stale)
