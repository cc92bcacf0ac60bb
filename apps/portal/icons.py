"""The icons of the layout, drawn on a grid of 16 with a line of 1.5."""

from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

PATHS = {
    "home": "M2.5 7.5 8 3l5.5 4.5V13a.5.5 0 0 1-.5.5H9.75V10h-3.5v3.5H3a.5.5 0 0 1-.5-.5z",
    "quick_start": "M8.75 1.75 3.5 9h4l-.25 5.25L12.5 7h-4z",
    "keys": "M10.5 9.5a4 4 0 1 0-3.87-3L2 11.13V14h2.87v-1.75h1.75V10.5l1.01-1.01a4 4 0 0 0 2.87.01zM11.25 4.75h.01",
    "sandbox": "M2.5 5.5 8 2.5l5.5 3v5L8 13.5l-5.5-3zM2.5 5.5 8 8.5l5.5-3M8 8.5v5",
    "requests": "M2.5 4h11M2.5 8h11M2.5 12h7",
    "bookings": "M2.75 4.5h10.5a.75.75 0 0 1 .75.75V7a1.25 1.25 0 0 0 0 2.5v1.75a.75.75 0 0 1-.75.75H2.75a.75.75 0 0 1-.75-.75"
    "V9.5A1.25 1.25 0 0 0 2 7V5.25a.75.75 0 0 1 .75-.75zM9.5 4.5v7.5",
    "approvals": "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.25 8.25 7.25 10.25l3.5-4",
    "balance": "M2 5.25h10.75a1.25 1.25 0 0 1 1.25 1.25v5.25A1.25 1.25 0 0 1 12.75 13H3.25A1.25 1.25 0 0 1 2 11.75z"
    "M2 5.25A1.75 1.75 0 0 1 3.75 3.5h7.5v1.75M11 9.25h.01",
    "webhooks": "M5.5 8.5 7.4 5.4a2.25 2.25 0 1 1 2.3-.9M8.5 5l2.1 3.6a2.25 2.25 0 1 1-.6 2.9M10.25 11.25H6.2"
    "a2.25 2.25 0 1 1-1.9-2.2",
    "production_access": "M8 1.75 13 3.5v4.25c0 3-2 5.4-5 6.5-3-1.1-5-3.5-5-6.5V3.5zM5.75 8l1.6 1.6 2.9-3.1",
    "team": "M6 7.5A2.25 2.25 0 1 0 6 3a2.25 2.25 0 0 0 0 4.5z"
    "M2 13c0-2.2 1.8-3.75 4-3.75S10 10.8 10 13M10.5 7.25a2 2 0 1 0-.75-3.85"
    "M11.5 9.5c1.5.4 2.5 1.7 2.5 3.5",
    "branding": "M2.5 3.25A.75.75 0 0 1 3.25 2.5h9.5a.75.75 0 0 1 .75.75v9.5a.75.75 0 0 1-.75.75h-9.5a.75.75 0 0 1-.75-.75z"
    "M2.75 11.5 6 8.25l2.5 2.5 1.75-1.75 3 3M10.25 5.75h.01",
    "audit": "M8 4.75V8l2.25 1.5M2.5 8a5.5 5.5 0 1 0 1.6-3.9L2.5 5.75M2.5 2.75v3h3",
    "billing": "M2 5.25h10.75a1.25 1.25 0 0 1 1.25 1.25v5.25A1.25 1.25 0 0 1 12.75 13H3.25A1.25 1.25 0 0 1 2 11.75z"
    "M2 5.25A1.75 1.75 0 0 1 3.75 3.5h7.5v1.75M11 9.25h.01",
    "developers": "M5 4.5 1.5 8 5 11.5M11 4.5 14.5 8 11 11.5M9.25 3l-2.5 10",
    "settings": "M2.5 4.5h6.25M12.25 4.5h1.25M2.5 11.5h1.25M7.25 11.5h6.25M10.5 6.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z"
    "M5.5 13.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z",
    "docs": "M3 3.25A1.25 1.25 0 0 1 4.25 2H13v10H4.25A1.25 1.25 0 0 0 3 13.25zm0 0v10A.75.75 0 0 0 3.75 14H13v-2",
    "download": "M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.75 13.25h10.5",
    "menu": "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    "copy": "M5.5 5.5V3.25a.75.75 0 0 1 .75-.75h6.5a.75.75 0 0 1 .75.75v6.5a.75.75 0 0 1-.75.75H10.5M3.25 5.5h6.5"
    "a.75.75 0 0 1 .75.75v6.5a.75.75 0 0 1-.75.75h-6.5a.75.75 0 0 1-.75-.75v-6.5a.75.75 0 0 1 .75-.75z",
    "check": "M3 8.5 6.5 12 13 4.5",
    "cross": "M4 4l8 8M12 4l-8 8",
    "warning": "M8 2.5 14 13H2zM8 6.5v3M8 11.25h.01",
    "info": "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5h.01",
    "chevron": "M5 6.5 8 9.5l3-3",
    "left": "M9.5 4 5.5 8l4 4",
    "right": "M6.5 4l4 4-4 4",
    "plus": "M8 3v10M3 8h10",
    "external": "M6 3H3.25a.75.75 0 0 0-.75.75v9a.75.75 0 0 0 .75.75h9a.75.75 0 0 0 .75-.75V10M9 2.5h4.5V7M13 3 7.5 8.5",
    "user": "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zM2.75 13.5c.5-2.3 2.6-3.75 5.25-3.75s4.75 1.45 5.25 3.75",
    "search": "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3",
}

# Pages of a second level have the icon of their entry.
PATHS |= dict.fromkeys(("ledger", "usage", "statements"), PATHS["billing"])
PATHS |= dict.fromkeys(("deliveries", "events", "event_types", "doctor"), PATHS["webhooks"])


@cache
def icon(name: str) -> SafeString:
    """Hidden from screen readers, because the icon repeats the word beside it."""
    return format_html(
        '<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="{}"/></svg>',
        mark_safe(PATHS[name]),  # noqa: S308 - written above
    )
