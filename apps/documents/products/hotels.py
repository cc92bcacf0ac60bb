"""What a document says of a stay: what the desk of a hotel asks for."""

from collections.abc import Collection, Iterable
from datetime import datetime, time

from apps.documents.common import Draft, Subject, party
from apps.documents.data import Point, Row, Section, Span, Table, rows, table
from apps.documents.words import joined
from apps.hotels.details import StayDetails
from apps.hotels.presenters import remarks_of
from apps.hotels.rules import stay_steps, stayed
from apps.hotels.suppliers.base import REMARK_KINDS, Guest, Perk, Remark, Room, Tax, kinds_in, remarks_in
from apps.suppliers.airports import zone_at
from apps.suppliers.values import from_text

ARRIVING = frozenset({"check_in_instructions", "keys"})
AT_THE_DESK = frozenset({"deposit", "resort_fee", "mandatory_fees"})
INFORMATION = frozenset(REMARK_KINDS) - ARRIVING - AT_THE_DESK


def draft(about: Subject) -> Draft:
    w, booking = about.words, about.booking
    stay = StayDetails.of(booking)
    hotel = stay.hotel
    begins_at = stayed(hotel, stay.check_in, stay.check_out).begins_at
    place = joined((hotel.street, hotel.city, w.country(hotel.country)))
    said = remarks_in(remarks_of(stay))
    nights = w.count("nights", (stay.check_out - stay.check_in).days)
    return Draft(
        subject=hotel.name,
        bought=joined((hotel.name, f"{w.short_day(stay.check_in)} – {w.short_day(stay.check_out)}", nights)),
        lines=tuple(filter(None, (place, joined((stay.desk.hotel_phone, stay.desk.hotel_email), " · ")))),
        references=rows(
            (w("hotel_number"), stay.confirmation_code or ""),
            (w("supplier_number"), booking.supplier_reference),
        ),
        sections=(
            Section(w("stay"), spans=(span(about, stay, nights),), rows=room_rows(about, stay)),
            Section(w("guests"), tables=guest_table(about, stay), notes=correction_note(about, stay)),
            Section(w("arriving"), notes=told(said, ARRIVING)),
        ),
        desk=(
            Section(
                w("wishes"),
                notes=(stay.special_requests, w("wishes_note")) if stay.special_requests else (),
            ),
            on_the_spot(about, stay, told(said, AT_THE_DESK)),
            Section(w("remarks"), notes=told(said, INFORMATION)),
        ),
        steps=stay_steps(stay.penalty_steps, begins_at, booking.total_cents, stay.given_up_cents),
        zone=zone_at(hotel.latitude, hotel.longitude, hotel.country),
        names=tuple(map(full_name, stay.guests)),
        taxes=tuple(
            (tax.description, w.amount(tax.amount_cents, tax.currency))
            for tax in from_text(list[Tax], about.quote.get("rate", {}).get("taxes") or "[]")
            if tax.included
        ),
        closing=w("hotel_closing"),
        begins_at=datetime.combine(stay.check_in, time.max),
        ends_on=stay.check_out,
    )


def span(about: Subject, stay: StayDetails, nights: str) -> Span:
    w, hotel = about.words, stay.hotel
    arrival, departure = hotel.check_in_from or "", hotel.check_out_until or ""
    return Span(
        Point(w("check_in_from") if arrival else w("check_in"), w.day(stay.check_in), arrival),
        Point(w("check_out_until") if departure else w("check_out"), w.day(stay.check_out), departure),
        middle=nights,
    )


def room_rows(about: Subject, stay: StayDetails) -> tuple[Row, ...]:
    w, code = about.words, stay.board.code
    kinds = kinds_in(stay.shown_rooms)
    beds = kinds[0].beds if len(set(kinds)) == 1 else ""
    perks = ", ".join(perk.name for perk in from_text(list[Perk], stay.perks))
    return rows(
        (w("room_type"), "" if rooms_differ(stay) else joined((stay.room_name, beds))),
        (w("board"), w(code) if code in BOARDS else stay.board.name),
        (w("included"), perks),
    )


def rooms_differ(stay: StayDetails) -> bool:
    """Whether it is known of each room what it is, and they are not all the same."""
    kinds = kinds_of(stay)
    return len(set(kinds)) > 1 and len(kinds) == len(stay.rooms)


def kinds_of(stay: StayDetails) -> list[str]:
    """What each room is, with its beds; empty if the supplier does not provide it."""
    return [joined((kind.name, kind.beds), "\n") for kind in kinds_in(stay.shown_rooms)]


BOARDS = frozenset({"RO", "BB", "HB", "FB", "AI"})


def full_name(guest: Guest) -> str:
    return joined((guest.first_name, guest.last_name), " ")


def guest_table(about: Subject, stay: StayDetails) -> tuple[Table, ...]:
    w, kinds = about.words, kinds_of(stay)
    lines = [
        (
            joined((w("room_number", number=number), kinds[number - 1] if rooms_differ(stay) else ""), "\n"),
            "\n".join(map(full_name, names)),
            party(w, adults=room.adults, children=len(room.children_ages), ages=room.children_ages),
        )
        for number, (room, names) in enumerate(
            zip(stay.rooms, by_room(stay.rooms, stay.guests), strict=True), 1
        )
    ]
    return table((w("room"), w("guest_names"), w("occupancy")), lines)


def correction_note(about: Subject, stay: StayDetails) -> tuple[str, ...]:
    """The desk may look for either name while the hotel works on a correction."""
    asked, w = stay.correction, about.words
    if asked is None or not asked.is_open:
        return ()
    day = w.short_day(asked.requested_at.date())
    corrected = joined((asked.first_name, asked.last_name), " ")
    return (
        w("correction_requested", name=full_name(stay.guests[asked.guest]), corrected=corrected, day=day),
    )


def by_room(rooms: tuple[Room, ...], guests: tuple[Guest, ...]) -> list[list[Guest]]:
    """Who sleeps in which room: the adults in their order, and each child where its age was searched for. Where fewer adults came
    than were searched for, each room has one first. Everyone else is listed with the first room, so that no guest is left out.
    """
    adults = [guest for guest in guests if guest.type != "child"]
    children = [guest for guest in guests if guest.type == "child"]
    all_came = len(adults) >= sum(room.adults for room in rooms)
    found: list[list[Guest]] = [[adults.pop(0)] if adults and not all_came else [] for _ in rooms]
    for room, taken in zip(rooms, found, strict=True):
        free = min(room.adults - len(taken), len(adults))
        taken += [adults.pop(0) for _ in range(free)]
        for age in room.children_ages:
            child = next((one for one in children if one.age == age), None)
            if child is not None:
                children.remove(child)
                taken.append(child)
    if found:
        found[0] += adults + children
    return found


def told(remarks: Iterable[Remark], kinds: Collection[str]) -> tuple[str, ...]:
    return tuple(remark.text for remark in remarks if remark.kind in kinds)


def on_the_spot(about: Subject, stay: StayDetails, remarks: tuple[str, ...]) -> Section:
    """What is paid at the hotel: charges with their amounts, and what the hotel says of others."""
    w = about.words
    lines = [
        (charge.description, w.amount(charge.amount_cents, charge.currency)) for charge in stay.pay_at_hotel
    ]
    return Section(
        w("on_the_spot"),
        tables=table((w("description"), w("amount")), lines, amounts=True),
        notes=(*remarks, *((w("on_the_spot_note"),) if lines else ())),
    )
