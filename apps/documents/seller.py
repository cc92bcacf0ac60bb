"""In whose name documents are handed out: the account, with what its branding says."""

from base64 import b64encode

from apps.accounts.branding import branding_of
from apps.accounts.models import Account
from apps.documents.data import Seller


def seller_of(account: Account) -> Seller:
    """The partner, also where the account only holds one of its test environments. One query."""
    branding = branding_of(account)
    website = branding.website.removeprefix("https://").rstrip("/")
    address = branding.address.replace("\n", ", ")
    return Seller(
        name=branding.name or (account.sandbox_of or account).name,
        lines=tuple(filter(None, (address, branding.phone, branding.email, website))),
        logo=f"data:image/png;base64,{b64encode(branding.logo).decode()}" if branding.logo else "",
        emergency_phone=branding.emergency_phone,
    )
