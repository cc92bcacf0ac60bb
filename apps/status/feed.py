"""Incidents as an Atom feed, from the content on disk."""

import re
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common import clock

NAME = "Travel Partner API: status"
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What staff may have pasted, and no XML may contain: a vertical tab, for example."""


def atom(incidents: list[dict[str, Any]]) -> str:
    address = f"{settings.PUBLIC_BASE_URL}/status"
    feed = Atom1Feed(
        title=NAME,
        link=address,
        description="Incidents and maintenance.",
        feed_url=f"{address}.atom",
        feed_guid=address,
    )
    for incident in incidents:
        one = f"{address}#incident-{incident['id']}"
        feed.add_item(
            title=NOT_IN_XML.sub(" ", incident["title"]),
            link=one,
            description=NOT_IN_XML.sub(" ", _told(incident)),
            unique_id=one,
            pubdate=_instant(incident["startedAt"]),
            updateddate=_instant(incident["updatedAt"]),
            categories=[incident["impact"], *incident["products"]],
        )
    return str(feed.writeString("utf-8"))


def _told(incident: dict[str, Any]) -> SafeString:
    """HTML: the updates, newest first."""
    rows = ((update["at"], update["stage"], update["text"]) for update in incident["updates"])
    concerned = ", ".join(incident["products"]) or "all products"
    return format_html("<p>{}: {}</p>", incident["impact"], concerned) + format_html_join(
        "", "<p>{} {}: {}</p>", rows
    )


def _instant(text: str) -> datetime:
    return clock.read_rfc3339(text)
