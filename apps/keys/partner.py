"""Who is calling: account, key and environment, as every service receives them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Partner:
    """One authenticated caller, as `authentication` found it. At most 60 s old, and changes take effect at once."""

    account_id: str
    """Under which everything of this caller is stored: the account, or one of its test environments (`Sandbox`)."""
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
    key_expires_at: datetime | None = None
    """The end of the key, which no rotation prolongs."""
    secret_id: int | None = None
    """Which of the key's secrets was sent: during a rotation it shows which callers use the new one."""
    clock_offset: timedelta = timedelta(0)
    """How far the clock of the caller's test environment is ahead."""
    owner_id: str = ""
    """The account, where `account_id` is one of its test environments; empty otherwise."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Which faults the caller's test environment has planted, as `Sandbox.faults` holds them."""

    @property
    def shown_account_id(self) -> str:
        """The id of the account as partners know it."""
        return self.owner_id or self.account_id
