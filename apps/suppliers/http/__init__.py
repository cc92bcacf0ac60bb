"""How every connector speaks HTTP: `SupplierHTTP` to call, `Limits` to bound a call, `Reply` for what came back."""

from apps.suppliers.http.client import SupplierHTTP
from apps.suppliers.http.limits import Limits
from apps.suppliers.http.reply import Reply, Unreadable

__all__ = ["Limits", "Reply", "SupplierHTTP", "Unreadable"]
