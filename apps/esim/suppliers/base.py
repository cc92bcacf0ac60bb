"""What an eSIM supplier promises: frozen values in and out, the errors of `apps.suppliers.errors` only.

An order carries our own `client_ref`; `find_order` looks it up by it when its response was lost, or was "accepted" and the
profile follows later. Money is net, in minor units of the supplier's currency: what the partner pays is our affair
(`apps.esim.details`).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from urllib.parse import quote

from apps.common.languages import ENGLISH
from apps.common.money import Cents
from apps.suppliers.results import Found

REGIONS = {
    "africa": "Africa",
    "asia": "Asia",
    "caribbean": "Caribbean",
    "europe": "Europe",
    "global": "Global",
    "latin-america": "Latin America",
    "middle-east": "Middle East",
    "north-america": "North America",
    "oceania": "Oceania",
}


PLAN_TYPES = ("data", "unlimited", "voice_sms")
ACTIVATIONS = ("first_use", "installation")
"""When the days of a plan begin: once the eSIM meets a network that it may use, or once it is installed."""
PLATFORMS = ("ios", "android")
APPLE_INSTALLATION = "https://esimsetup.apple.com/esim_qrcode_provisioning"
# Not documented by Google. Sellers of eSIMs use it, and it opens the system's own installation on devices with Google's services.
ANDROID_INSTALLATION = "https://esimsetup.android.com/esim_qrcode_provisioning"
NOT_INSTALLED = "not_installed"
REFUND_REASONS = (
    "installation_failure",
    "qr_problem",
    "deleted_esim",
    "incompatible_device",
    "locked_device",
    "no_coverage",
    "blocked_network",
    "connection_problem",
    "slow_speed",
    "hotspot_problem",
    "trip_cancelled",
    "plans_changed",
    "wrong_purchase",
    "other",
)
USAGE_STATUSES = (NOT_INSTALLED, "active", "depleted", "expired")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The networks that a profile may use in one country (ISO 3166-1 alpha-2)."""

    country: str
    networks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTerms:
    """What a plan holds. `data_mb` is None when unlimited; minutes and messages are 0 where the plan has none."""

    name: str
    plan_type: str
    data_mb: int | None
    validity_days: int
    voice_minutes: int
    sms_count: int
    price_cents: Cents
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopUpPlan(PlanTerms):
    """What can be added to one profile. It works where the profile does."""

    supplier_plan_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplierPlan(PlanTerms):
    """A plan as the supplier sells it. `region` is one of REGIONS, None for a plan of one country.

    `activation` is one of ACTIVATIONS; that and `install_within_days` are None if the supplier does not provide it. `notes` and
    `fair_usage_policy` are the supplier's own texts, in English.
    """

    supplier_plan_id: str
    countries: tuple[str, ...]
    region: str | None
    coverage: tuple[Coverage, ...]
    activation: str | None = None
    install_within_days: int | None = None
    fair_usage_policy: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """`price_cents` is what the plan was sold for, in the plan's currency: the supplier may not charge more."""

    client_ref: str
    supplier_plan_id: str
    price_cents: Cents


@dataclass(frozen=True, slots=True)
class Profile:
    """What a device needs to install the eSIM. `lpa` is the whole activation code (GSMA SGP.22): `LPA:1$smdp.example$MATCH`,
    or what the supplier gave as such. Where a device asks for a `confirmation_code`, the activation code ends in `$$1`.
    """

    iccid: str
    smdp_address: str
    matching_id: str
    activation_code: str = ""
    confirmation_code: str = ""
    """Which the traveller types in; empty for most profiles."""
    apple_url: str = ""
    """The address that installs the profile on an iPhone, where the supplier gave one."""

    @property
    def lpa(self) -> str:
        code = f"LPA:1${self.smdp_address}${self.matching_id}"
        return self.activation_code or (f"{code}$$1" if self.confirmation_code else code)

    @property
    def apple_installation_url(self) -> str:
        """Opened on an iPhone with iOS 17.4 or later, it installs the profile. Apple's own form of it, unless the supplier gave
        one.
        """
        return self.apple_url or f"{APPLE_INSTALLATION}?carddata={quote(self.lpa, safe=':$')}"

    @property
    def android_installation_url(self) -> str:
        """Opened on an Android device with an eSIM, outside of a web view, it installs the profile."""
        return f"{ANDROID_INSTALLATION}?carddata={quote(self.lpa, safe='')}"


@dataclass(frozen=True, slots=True)
class EsimOrder:
    """The order as the supplier holds it. `profile` is None while the supplier is still making it.

    `cancelled`: it no longer stands. `failed`: it was accepted, and never delivered. `partly_refunded`: it stands, and a part of
    its price was given back. A top-up has no profile of its own.
    """

    supplier_reference: str
    supplier_plan_id: str
    price_cents: Cents
    currency: str
    profile: Profile | None
    cancelled: bool = False
    failed: bool = False
    partly_refunded: bool = False


@dataclass(frozen=True, slots=True)
class TopUpRequest:
    """A plan to add to the profile `iccid`, which the order `order_reference` brought. `price_cents` is the most it may cost.

    `asked_at` and `known` distinguish a top-up of ours from others of the same profile, for a supplier that does not keep our
    reference with it: when it was asked for, and the supplier's references of those that are known already.
    """

    client_ref: str
    order_reference: str
    iccid: str
    supplier_plan_id: str
    price_cents: Cents
    asked_at: datetime | None = None
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guide:
    """How to install a profile on one kind of device. `version` and `model` are None where the guide is for all."""

    platform: str
    version: str | None
    model: str | None
    qr_code_steps: tuple[str, ...]
    manual_steps: tuple[str, ...]
    network_steps: tuple[str, ...]
    apn: str | None = None
    """The access point name to type in; None where the device finds it by itself."""
    data_roaming: bool | None = None
    """Whether data roaming must be on; None if the supplier does not provide it."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """`language`: the tag of the language that the steps are in, `de` or `pt-BR`."""

    language: str
    guides: tuple[Guide, ...]


@dataclass(frozen=True, slots=True)
class LowData:
    """A level that a supplier reports: so much of the data is used, or so many days are left. One of them is None."""

    percent_used: int | None = None
    days_left: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a profile has used. `status` is None when the supplier does not know it at present: the last one known still stands.

    `total_mb` is None when unlimited; `valid_until` is None before the profile was first used. `low` are the levels that are
    reached, of a supplier that does not report them by itself.
    """

    status: str | None
    total_mb: int | None
    used_mb: int
    valid_until: datetime | None
    low: tuple[LowData, ...] = ()


class EsimSupplier(Protocol):
    """A source of eSIM plans. Every method is one bounded call; `deadline` handling lies inside the adapter."""

    name: str
    usage_every: timedelta
    """How seldom the usage of one profile may be asked for; zero for as often as one likes."""
    languages: tuple[str, ...]
    """The language tags that instructions come in, English among them."""

    def plans(self) -> Found[SupplierPlan]:
        """The whole catalogue: what is missing from it is no longer sold. Plans that demand an identity check (counted as
        `documents_required`) and plans that cannot be read are counted.
        """

    def order(self, request: OrderRequest) -> EsimOrder:
        """Buy one profile. Raises PriceChanged when it costs more now, Expired when it is no longer sold."""

    def find_order(self, client_ref: str) -> EsimOrder | None:
        """The order that was sent with `client_ref`, or None when the supplier knows none, or none that did not fail."""

    def read_order(self, supplier_reference: str) -> EsimOrder: ...

    def usage(self, supplier_reference: str, iccid: str) -> Usage: ...

    def top_up_plans(self, supplier_reference: str, iccid: str) -> list[TopUpPlan]:
        """What can be added to the profile now. Raises NotPossible for one that takes no top-ups, or takes none any more."""

    def top_up(self, request: TopUpRequest) -> EsimOrder:
        """Add a plan to a profile. Raises Expired when it is no longer sold, PriceChanged when it costs more, NotPossible."""

    def find_top_up(self, request: TopUpRequest) -> EsimOrder | None:
        """What became of a top-up whose answer was lost; None when the supplier knows none, or none that did not fail."""

    def instructions(self, supplier_reference: str, iccid: str, language: str = ENGLISH) -> Instructions:
        """How to install the profile, step by step. `language` is one of `languages`; the answer says which one it is in."""

    def request_refund(
        self, client_ref: str, supplier_reference: str, iccid: str, reason: str, notes: str
    ) -> str:
        """Ask for a refund of the order that brought the profile, and return the supplier's reference of the request. People
        decide about it; `read_order` shows once it is granted. What is asked twice may be refunded twice. `reason` is one of
        REFUND_REASONS. Raises NotPossible for what is not refunded.
        """
