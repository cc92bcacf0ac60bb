"""The address of one line of the ledger: the page of the ledger that begins with it."""

from datetime import datetime

from apps.common import keyset
from apps.portal.context import PortalContext


def ledger_line_address(portal: PortalContext, created_at: datetime, line_id: str) -> str:
    return f"{portal.reverse('balance')}?cursor={keyset.cursor_before(created_at, line_id)}#{line_id}"
