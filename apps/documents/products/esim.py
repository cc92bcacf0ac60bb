"""What a document says of an eSIM: its code, what to type in where no code can be scanned, and the plan."""

from django.conf import settings

from apps.documents.common import Draft, Subject
from apps.documents.data import Code, Row, Section, rows
from apps.documents.words import Words
from apps.esim.details import OrderDetails, SoldPlan
from apps.esim.qr import qr_svg
from apps.esim.suppliers.base import REGIONS, Profile

MOST_NAMED = 12
"""Countries of a plan that are listed; more are counted."""


def draft(about: Subject) -> Draft:
    w, order = about.words, OrderDetails.of(about.booking)
    plan, profile = order.plan, order.profile
    return Draft(
        subject=plan.name,
        bought=plan.name,
        references=rows(("ICCID", profile.iccid if profile else "")),
        sections=(
            Section(w("install"), code=code(w, profile), rows=links(w, profile)) if profile else Section(""),
            Section(w("plan"), rows=plan_rows(w, plan)),
        ),
        desk=(
            Section(w("on_iphone"), steps=tuple(w(f"iphone_{step}") for step in (1, 2, 3))),
            Section(w("on_android"), steps=tuple(w(f"android_{step}") for step in (1, 2, 3))),
        ),
        closing=w("esim_closing"),
    )


def code(w: Words, profile: Profile) -> Code:
    return Code(
        qr_svg(profile.lpa).decode(),
        w("scan"),
        rows(
            (w("smdp"), profile.smdp_address),
            (w("activation_code"), profile.matching_id),
            ("LPA", profile.lpa),
            (w("confirmation_code"), profile.confirmation_code),
        ),
    )


def links(w: Words, profile: Profile) -> tuple[Row, ...]:
    """For who reads the document on the device itself, and cannot scan its screen."""
    android = profile.android_installation_url if settings.ESIM_ANDROID_LINKS else None
    return rows((w("link_iphone"), profile.apple_installation_url or ""), (w("link_android"), android or ""))


def plan_rows(w: Words, plan: SoldPlan) -> tuple[Row, ...]:
    names = sorted(w.country(country) for country in plan.countries)
    where = ", ".join(names) if len(names) <= MOST_NAMED else w.count("countries", len(names))
    return rows(
        (w("data"), data(w, plan.data_mb)),
        (w("validity"), w.count("days", plan.validity_days)),
        (w("calls"), w.minutes(plan.voice_minutes)),
        (w("messages"), str(plan.sms_count) if plan.sms_count else ""),
        (w("works_in"), f"{REGIONS[plan.region]}: {where}" if plan.region in REGIONS else where),
    )


def data(w: Words, megabytes: int | None) -> str:
    if megabytes is None:
        return w("unlimited")
    return f"{megabytes // 1024} GB" if megabytes >= 1024 and megabytes % 1024 == 0 else f"{megabytes} MB"
