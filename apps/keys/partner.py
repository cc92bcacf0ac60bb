"""Who is calling: account, key and environment, as every service receives them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Partner:
    """One authenticated caller, as `authentication` found it. At most 60 s old, and changes take effect at once."""

    account_id: str
    account_status: str
    key_id: str
    environment: str
    scopes: frozenset[str]
    allowed_ips: tuple[str, ...]
    currency: str
    markup_bp: int
    rates: Mapping[str, int] = field(default_factory=dict)
    """Requests a minute by class, where the account overrides the deployment's."""
    search_quota: int | None = None
    secret_expires_at: datetime | None = None
    secret_id: int | None = None
    """Which of the key's secrets was sent: during a rotation it shows which callers use the new one."""
    clock_offset: timedelta = timedelta(0)
