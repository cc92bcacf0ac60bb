"""What an eSIM supplier promises: frozen values in and out, the errors of `apps.suppliers.errors` only.

An order carries our own `client_ref`; `find_order` looks it up by it when its answer was lost, or was "accepted" and the profile
follows later. Money is net, in minor units of the supplier's currency: what the partner pays is our affair (`apps.esim.prices`).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from apps.common.money import Cents

PLAN_TYPES = ("data", "unlimited", "voice_sms")
USAGE_STATUSES = ("not_installed", "active", "depleted", "expired")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The networks that a profile may use in one country (ISO 3166-1 alpha-2)."""

    country: str
    networks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SupplierPlan:
    """A plan as the supplier sells it. `region` is one of `apps.esim.regions`, None for a plan of one country.

    `data_mb` is None when unlimited; minutes and messages are 0 where the plan has none.
    """

    supplier_plan_id: str
    name: str
    plan_type: str
    countries: tuple[str, ...]
    region: str | None
    data_mb: int | None
    validity_days: int
    voice_minutes: int
    sms_count: int
    price_cents: Cents
    currency: str
    coverage: tuple[Coverage, ...]


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """`price_cents` is what the plan was sold for, in the plan's currency: the supplier may not charge more."""

    client_ref: str
    supplier_plan_id: str
    price_cents: Cents


@dataclass(frozen=True, slots=True)
class Profile:
    """What a device needs to install the eSIM. `lpa` is the whole activation code (GSMA SGP.22): `LPA:1$smdp.example$MATCH`,
    or what the supplier gave as such.
    """

    iccid: str
    smdp_address: str
    matching_id: str
    activation_code: str = ""

    @property
    def lpa(self) -> str:
        return self.activation_code or f"LPA:1${self.smdp_address}${self.matching_id}"


@dataclass(frozen=True, slots=True)
class EsimOrder:
    """The order as the supplier holds it. `profile` is None while the supplier is still making it.

    `cancelled`: it no longer stands, whoever cancelled it.
    """

    supplier_reference: str
    supplier_plan_id: str
    price_cents: Cents
    currency: str
    profile: Profile | None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What a profile has used. `status` is None when the supplier does not know it at present: the last one known still stands.

    `total_mb` is None when unlimited; `valid_until` is None before the profile was first used.
    """

    status: str | None
    total_mb: int | None
    used_mb: int
    valid_until: datetime | None


class EsimSupplier(Protocol):
    """A source of eSIM plans. Every method is one bounded call; `deadline` handling lies inside the adapter."""

    name: str
    usage_every: timedelta
    """How seldom the usage of one profile may be asked for; zero for as often as one likes."""

    def plans(self) -> list[SupplierPlan]:
        """The whole catalogue: what is missing from it is no longer sold."""

    def order(self, request: OrderRequest) -> EsimOrder:
        """Buy one profile. Raises PriceChanged when it costs more now, Expired when it is no longer sold."""

    def find_order(self, client_ref: str) -> EsimOrder | None:
        """The order that was sent with `client_ref`, or None when the supplier knows none, or none that did not fail."""

    def read_order(self, supplier_reference: str) -> EsimOrder: ...

    def usage(self, supplier_reference: str, iccid: str) -> Usage: ...
