"""A table of all pages of the portal, for tests that check every page: who may see it, its queries, how it looks.

Add each new page of the portal here. `{names}` in a path are the names that tests/portal/sample_data gives.
"""

from dataclasses import dataclass

from apps.accounts.models import Role

EVERYONE = frozenset(Role.values)
DEVELOPERS = frozenset({Role.OWNER, Role.DEVELOPER})
OWNERS = frozenset({Role.OWNER})
FINANCE = frozenset({Role.OWNER, Role.FINANCE})
APPROVERS = frozenset({Role.OWNER, Role.APPROVER})


@dataclass(frozen=True)
class Page:
    name: str
    path: str
    may: frozenset[str] = EVERYONE
    posts: bool = False
    """Whether it takes a POST, which a viewer is refused with 403."""
    foreign: bool = False
    """Whether its path names an object of the account. Members of another account get 404."""


PAGES = [
    Page("home", "/portal/test/"),
    Page("home-live", "/portal/live/"),
    Page("components", "/portal/test/components/"),
    Page("quick-start", "/portal/test/quick-start/"),
    Page("quick-start-live", "/portal/live/quick-start/"),
    Page("keys", "/portal/test/keys/"),
    Page("keys-live", "/portal/live/keys/"),
    Page("key-new", "/portal/test/keys/new/", may=DEVELOPERS, posts=True),
    Page("key-new-live", "/portal/live/keys/new/", may=DEVELOPERS, posts=True),
    Page("key", "/portal/test/keys/{key}/", foreign=True),
    Page("key-rotating", "/portal/test/keys/{rotating_key}/", foreign=True),
    Page("key-revoked", "/portal/test/keys/{revoked_key}/", foreign=True),
    Page("key-rename", "/portal/test/keys/{key}/name/", may=DEVELOPERS, posts=True, foreign=True),
    Page("key-addresses", "/portal/test/keys/{key}/addresses/", may=DEVELOPERS, posts=True, foreign=True),
    Page("key-scopes", "/portal/test/keys/{key}/scopes/", may=DEVELOPERS, posts=True, foreign=True),
    Page("key-expiry", "/portal/test/keys/{key}/expiry/", may=DEVELOPERS, posts=True, foreign=True),
    Page("key-spend-limits", "/portal/test/keys/{key}/limits/", may=FINANCE, posts=True, foreign=True),
    Page("key-rotate", "/portal/test/keys/{key}/rotate/", may=DEVELOPERS, posts=True, foreign=True),
    Page(
        "key-end-old", "/portal/test/keys/{rotating_key}/end-old/", may=DEVELOPERS, posts=True, foreign=True
    ),
    Page("key-revoke", "/portal/test/keys/{key}/revoke/", may=DEVELOPERS, posts=True, foreign=True),
    Page("sandbox", "/portal/test/sandbox/", posts=True),
    Page("sandbox-open", "/portal/test/sandbox/open/", may=DEVELOPERS, posts=True),
    Page("sandbox-funds", "/portal/test/sandbox/funds/", may=DEVELOPERS, posts=True),
    Page("sandbox-faults", "/portal/test/sandbox/faults/", may=DEVELOPERS, posts=True),
    Page("sandbox-rename", "/portal/test/sandbox/name/", may=DEVELOPERS, posts=True),
    Page("sandbox-reset", "/portal/test/sandbox/reset/", may=DEVELOPERS, posts=True),
    Page("sandbox-close", "/portal/test/sandbox/close/", may=DEVELOPERS, posts=True),
    Page("requests", "/portal/test/requests/"),
    Page("requests-none", "/portal/test/requests/?error_type=payment_failed&since=2020-01-01"),
    Page("requests-view", "/portal/test/requests/?last=7d&status=errors"),
    Page("request", "/portal/test/requests/{request}/", foreign=True),
    Page("request-booking", "/portal/test/requests/{booking_request}/", foreign=True),
    Page("find", "/portal/test/find/"),
    Page("find-none", "/portal/test/find/?q=never-seen-before"),
    Page("find-several", "/portal/test/find/?q={request}+{key}+{booking}+{delivery}"),
    Page("find-elsewhere", "/portal/live/find/?q={booking}"),
    Page("call-outcomes", "/portal/test/call-outcomes/"),
    Page("call-outcomes-found", "/portal/test/call-outcomes/?q={request}"),
    Page("call-outcomes-none", "/portal/test/call-outcomes/?q=never-seen-before"),
    Page("bookings", "/portal/test/bookings/"),
    Page("bookings-none", "/portal/live/bookings/"),
    Page("booking", "/portal/test/bookings/{booking}/", posts=True, foreign=True),
    Page("booking-stay", "/portal/test/bookings/{stay}/", posts=True, foreign=True),
    Page("booking-stay-change", "/portal/test/bookings/{stay}/change/", posts=True, foreign=True),
    Page("booking-ride", "/portal/test/bookings/{ride}/", posts=True, foreign=True),
    Page("booking-plan", "/portal/test/bookings/{plan}/", posts=True, foreign=True),
    Page("booking-held", "/portal/test/bookings/{held_booking}/", posts=True, foreign=True),
    Page("booking-awaiting", "/portal/test/bookings/{awaiting}/", posts=True, foreign=True),
    Page("booking-approved", "/portal/test/bookings/{approved}/", posts=True, foreign=True),
    Page("booking-declined", "/portal/test/bookings/{declined}/", posts=True, foreign=True),
    Page("booking-approve", "/portal/test/bookings/{awaiting}/approve/", APPROVERS, posts=True, foreign=True),
    Page(
        "booking-decline",
        "/portal/test/bookings/{awaiting_stay}/decline/",
        APPROVERS,
        posts=True,
        foreign=True,
    ),
    Page("approvals", "/portal/test/approvals/"),
    Page("approvals-none", "/portal/live/approvals/"),
    Page("balance", "/portal/test/balance/"),
    Page("balance-by-entry", "/portal/test/balance/?by=entry"),
    Page("balance-none", "/portal/live/balance/"),
    Page("balance-warning", "/portal/test/balance/warning/", may=FINANCE, posts=True),
    Page("ledger", "/portal/test/balance/ledger/"),
    Page("ledger-by-booking", "/portal/test/balance/ledger/?by=booking"),
    Page("ledger-none", "/portal/live/balance/ledger/?type=hold"),
    Page("statements", "/portal/test/balance/statements/"),
    Page("statements-none", "/portal/live/balance/statements/?cursor=2020-01"),
    Page("statement", "/portal/test/balance/statements/{month}/"),
    Page("usage", "/portal/test/balance/usage/"),
    Page("webhooks", "/portal/test/webhooks/"),
    Page("webhooks-none", "/portal/live/webhooks/"),
    Page("endpoint-new", "/portal/test/webhooks/new/", may=DEVELOPERS, posts=True),
    Page("endpoint", "/portal/test/webhooks/{endpoint}/", foreign=True),
    *(
        Page(
            f"endpoint-{act}",
            f"/portal/test/webhooks/{{endpoint}}/{act}/",
            DEVELOPERS,
            posts=True,
            foreign=True,
        )
        for act in ("edit", "rotate", "disable", "delete", "recover")
    ),
    Page(
        "endpoint-recover-counted",
        "/portal/test/webhooks/{endpoint}/recover/?since={since}&what=exhausted&what=missed&per_minute=60",
        may=DEVELOPERS,
        foreign=True,
    ),
    Page("deliveries", "/portal/test/webhooks/deliveries/"),
    Page("deliveries-none", "/portal/test/webhooks/deliveries/?status=FAILED&since=2020-01-01"),
    Page("delivery", "/portal/test/webhooks/deliveries/{delivery}/", foreign=True),
    Page("delivery-exhausted", "/portal/test/webhooks/deliveries/{exhausted}/", foreign=True),
    Page("delivery-raw", "/portal/test/webhooks/deliveries/{delivery}/?payload=raw", foreign=True),
    Page("events", "/portal/test/webhooks/events/"),
    Page("events-none", "/portal/test/webhooks/events/?type=booking.rejected&text=H-NONE"),
    Page("event", "/portal/test/webhooks/events/{event}/", posts=True, foreign=True),
    Page("event-booking", "/portal/test/webhooks/events/{booking_event}/", posts=True, foreign=True),
    Page("event-types", "/portal/test/webhooks/event-types/"),
    Page("event-type", "/portal/test/webhooks/event-types/booking.confirmed/", posts=True),
    Page("event-type-live", "/portal/live/webhooks/event-types/booking.schedule_changed/", posts=True),
    Page("recovery", "/portal/test/webhooks/recoveries/{recovery}/", foreign=True),
    Page("doctor", "/portal/test/webhooks/doctor/", may=DEVELOPERS, posts=True),
    Page("doctor-none", "/portal/live/webhooks/doctor/", may=DEVELOPERS, posts=True),
    Page("exams", "/portal/test/webhooks/{endpoint}/exam/", posts=True, foreign=True),
    Page("exam", "/portal/test/webhooks/exams/{exam}/", foreign=True),
    Page("exam-under-way", "/portal/test/webhooks/exams/{open_exam}/", foreign=True),
    Page("limits", "/portal/test/limits/"),
    Page("limits-live", "/portal/live/limits/"),
    Page("notifications", "/portal/test/notifications/"),
    Page("notifications-chat", "/portal/test/notifications/chat/", may=DEVELOPERS, posts=True),
    Page("notifications-live", "/portal/live/notifications/"),
    Page("production-access", "/portal/production-access/", posts=True),
    Page("team", "/portal/team/"),
    Page("team-invite", "/portal/team/invite/", may=OWNERS, posts=True),
    Page("four-eyes", "/portal/team/approval/", may=OWNERS, posts=True),
    Page("member-role", "/portal/team/members/{member}/role/", may=OWNERS, posts=True, foreign=True),
    Page("member-remove", "/portal/team/members/{member}/remove/", may=OWNERS, posts=True, foreign=True),
    Page(
        "invitation-resend",
        "/portal/team/invitations/{invitation}/resend/",
        may=OWNERS,
        posts=True,
        foreign=True,
    ),
    Page(
        "invitation-withdraw",
        "/portal/team/invitations/{invitation}/withdraw/",
        may=OWNERS,
        posts=True,
        foreign=True,
    ),
    Page("branding", "/portal/branding/", posts=True),
    Page("branding-logo-refused", "/portal/branding/?logo=too-large", posts=True),
    Page("profile", "/portal/profile/"),
    Page("audit", "/portal/audit/"),
    Page("audit-none", "/portal/audit/?actor=nobody&action=team"),
]
