"""Errors of the calling code. None is an answer to a partner, so none is a gateway error. After any of them nothing has moved."""


class LedgerError(Exception):
    """The ledger was asked for something impossible."""


class UnknownWallet(LedgerError):
    """The account has no wallet in this environment: call `open_wallet` first."""


class UnknownHold(LedgerError):
    """No hold has this id."""


class CurrencyMismatch(LedgerError):
    """The amount is in another currency than the wallet's."""


class CaptureExceedsHold(LedgerError):
    """The amount to capture is more than is held."""


class HoldResolved(LedgerError):
    """The hold was captured or released already, so it covers nothing."""


class ReferenceReused(LedgerError):
    """The reference was used before, for another wallet or another amount."""
