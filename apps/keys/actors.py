"""An API key as an actor in the audit trail."""

from apps.accounts.actors import Actor
from apps.keys.models import ApiKey
from apps.keys.partner import Partner


def key_actor(partner: Partner, address: str) -> Actor:
    name = ApiKey.objects.values_list("name", flat=True).get(pk=partner.key_id)
    return Actor(f"API key “{name}”", address=address)
