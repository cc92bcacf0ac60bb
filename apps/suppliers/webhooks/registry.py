"""Whose webhooks are taken, by the supplier's name: `POST /suppliers/<name>/webhooks`.

A vendor's part lies in `apps/<product>/suppliers/<vendor>/webhooks.py`; its product's AppConfig registers it when ready:

    register("duffel", Source(product="flights", verify=webhooks.verify))

`verify(headers, raw_body)` gets the bytes as they came and headers whose names match in any case. It answers the Hint, or
None for what is genuine and concerns nobody (a ping); it raises Forged for a signature that is wrong or absent, and
Unreadable (a ValueError, so that json.loads may speak for itself) for a body that it does not understand. Whatever the
sender puts into either, nothing else may come out of it. Secrets come from `settings` at each call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.conf import settings

from apps.suppliers.webhooks.hints import Hint

Verify = Callable[[Mapping[str, str], bytes], Hint | None]
Refresh = Callable[[str, Hint], None]


@dataclass(frozen=True, slots=True)
class Source:
    """A supplier that sends webhooks. `product` as `settings.SUPPLIERS` names it."""

    product: str
    verify: Verify
    refresh: Refresh | None = None
    """What the product does about a hint beyond what the polls would do; called as `refresh(supplier, hint)` by the worker,
    outside any transaction, so that it may ask the supplier. It decides by `hint.kind`; a second call must do no harm."""


_sources: dict[str, Source] = {}


def register(supplier: str, source: Source) -> None:
    _sources[supplier] = source


def source_of(supplier: str) -> Source | None:
    """None for a supplier without webhooks, and for one that does not serve this deployment's live keys."""
    source = _sources.get(supplier)
    if source is None or settings.SUPPLIERS[source.product]["live"] != supplier:
        return None
    return source
