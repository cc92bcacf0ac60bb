"""Mistakes of the calling code: none is an answer to a partner, so none is a gateway error. Nothing moved."""


class LedgerError(Exception):
    """The ledger was asked for something that makes no sense."""


class UnknownWallet(LedgerError):
    """The account has no wallet in this environment; `open_wallet` comes first."""


class UnknownHold(LedgerError):
    """No hold has this id."""


class CurrencyMismatch(LedgerError):
    """The amount is in another currency than the wallet."""


class CaptureExceedsHold(LedgerError):
    """More was to be captured than is held."""


class HoldResolved(LedgerError):
    """The hold was captured or released, so it covers nothing any more."""


class ReferenceReused(LedgerError):
    """The reference was used before, for another wallet or another amount."""
