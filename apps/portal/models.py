"""No tables: the portal shows what the other apps keep. What staff decide about has a list of its own in the back office."""

from apps.accounts.models import Account


class LiveKeyRequest(Account):
    """An account whose owners have asked for live keys, or for another year of them."""

    class Meta:
        proxy = True
        verbose_name = "request for live keys"
        verbose_name_plural = "requests for live keys"
