"""How every connector speaks HTTP: `SupplierHTTP` to call, `Limits` to bound a call, `Reply` for what came back.

`all_within` bounds several calls together.
"""

from apps.suppliers.http.client import SupplierHTTP
from apps.suppliers.http.limits import Limits
from apps.suppliers.http.reply import Reply, Unreadable
from apps.suppliers.http.together import all_within

__all__ = ["Limits", "Reply", "SupplierHTTP", "Unreadable", "all_within"]
