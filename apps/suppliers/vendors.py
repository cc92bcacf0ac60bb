"""What this service knows of one supplier, said once: its declaration, `vendor.py` in the supplier's own folder.

Everything else reads it: the product's `registry.py` (how the adapter is built), the settings and the checks at start (which
environment variables it needs), the recovery worker (when a lost answer is looked up), the polls, and the webhook view.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Generic, TypeVar

from django.utils.module_loading import import_string
from environ import Env

from apps.suppliers.content import Content


@dataclass(frozen=True, slots=True)
class Lookups:
    """Seconds, counted from the beginning of the lost call.

    `at`: when to look. `give_up_after`: from then on, a supplier that knows nothing of the write is believed.
    """

    at: tuple[int, ...]
    give_up_after: int

    def first(self, elapsed: float) -> float:
        """When to look first, where the answer was given up `elapsed` seconds after the call began: at once, if the first time is
        past.
        """
        return max(self.at[0], elapsed)

    def following(self, elapsed: float) -> float | None:
        """When to look next after a look at `elapsed`; None after the last one."""
        return next((when for when in (*self.at, self.give_up_after) if when > elapsed), None)


@dataclass(frozen=True, slots=True)
class PollingPace:
    """Every `usual`; every `close` from `close_from` before the journey begins, when there is little time left to act."""

    usual: timedelta
    close: timedelta | None = None
    close_from: timedelta = timedelta()

    def pause(self, now: datetime, begins_at: datetime) -> timedelta:
        """How long to wait before the next poll: never past the moment from which polls come every `close`."""
        if self.close is None:
            return self.usual
        until_close = begins_at - self.close_from - now
        return self.close if until_close <= self.close else min(self.usual, until_close)


class Forged(Exception):
    """The signature, or the shared token, is not the supplier's: 401."""


class Unreadable(ValueError):
    """Signed by the supplier, but not in the form that it documents: 400."""


@dataclass(frozen=True, slots=True)
class Hint:
    """`event_id` is the supplier's own, the same when it sends the event again; where it has none, a digest of the raw body.

    What the event names is filled in; one of these suffices to find the booking. Nothing else of the payload is stored:
    travellers and amounts are read from the supplier, never from here.
    """

    event_id: str
    kind: str
    supplier_reference: str = (
        ""  # the supplier's name for the booking, as `Booking.supplier_reference` has it
    )
    client_ref: str = ""  # our own reference, as it went out with the write
    offer_id: str = ""  # the offer that an open booking was made from, as its `supplier_data` has it
    object_id: str = (
        ""  # what the product itself looks up, where its declaration has a `refresh` (an eSIM's ICCID)
    )


Adapter = TypeVar("Adapter")
Verify = Callable[[Mapping[str, str], bytes], Hint | None]
Refresh = Callable[[str, Hint], None]


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable, which fills one entry of the vendor's credentials. It is read as what `default` is."""

    name: str
    default: str | bool = ""
    required: bool = False  # no process starts without it where the vendor serves live keys

    def read(self, env: Env) -> Any:
        read = env.bool if isinstance(self.default, bool) else env.str
        return read(self.name, default=self.default)


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The vendor's events, taken at `POST /suppliers/<name>/webhooks`.

    `verify(headers, raw_body)` gets the bytes as they came, and headers whose names match in any case. It returns the Hint, or
    None for an event that is genuine and concerns nothing of ours (a ping). It raises Forged for a signature that is wrong or
    absent, and Unreadable (a ValueError, so that json.loads may raise for itself) for a body that it does not understand. It
    raises nothing else, whatever was sent. It reads its secret from `settings` at each call.

    `refresh(name, hint)` is what the product does about a hint beyond what the polls do. The worker calls it outside any
    transaction, so it may ask the supplier. It goes by `hint.kind`, and a second call must do no harm.
    """

    verify: Verify
    refresh: Refresh | None = None


@dataclass(frozen=True, slots=True)
class Vendor(Generic[Adapter]):
    """One supplier of one product. `name` is its folder, and what `<PRODUCT>_SUPPLIER` says to choose it.

    The settings read declarations before any app is ready. So a `vendor.py` imports no adapter and no model at its top: its
    functions import what they need when they are called.
    """

    name: str
    build: Callable[[], Adapter]  # returns the adapter, with this deployment's credentials
    credentials: Mapping[str, Variable] = field(default_factory=dict)
    """What `settings.SUPPLIER_CREDENTIALS[name]` holds, and the variable that fills each entry."""
    lookups: Lookups | None = None
    """When a lost answer is looked up; None goes by the settings (LOOKUP_…), as the simulator does."""
    polling: PollingPace | None = None
    """How often it is asked whether a booking stands; None goes by the settings (SUPPLIER_NEWS_SECONDS)."""
    webhooks: Webhooks | None = None
    one_booking_per_search: bool = False
    """Whether a booking of one offer ends all others of its search."""
    contents: Callable[[], Sequence[Content]] = tuple
    """Returns what of its documented answers partners see (`content.py` of the folder)."""


def declared(package: str, *names: str) -> dict[str, Vendor[Any]]:
    """The vendors of these folders of `package`, by name: the constant VENDOR in each folder's `vendor.py`."""
    return {name: import_module(f"{package}.{name}.vendor").VENDOR for name in names}


def vendors_of(product: str) -> Mapping[str, Vendor[Any]]:
    """A product's vendors, by name. Found by convention, because nothing here may import a product."""
    vendors: Mapping[str, Vendor[Any]] = import_string(f"apps.{product}.suppliers.registry.VENDORS")
    return vendors


def read_credentials(products: Iterable[str], env: Env) -> dict[str, dict[str, Any]]:
    """Vendor → entry → value, from the environment, of all vendors that need any."""
    return {
        vendor.name: {entry: variable.read(env) for entry, variable in vendor.credentials.items()}
        for product in products
        for vendor in vendors_of(product).values()
        if vendor.credentials
    }
