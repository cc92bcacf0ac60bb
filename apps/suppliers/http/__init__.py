"""How every connector speaks HTTP: `SupplierHTTP` makes a call, `Limits` bounds it, `Reply` is the answer.

`all_within` bounds several calls together. Connections are `apps.common.outbound`.
"""

from apps.suppliers.http.client import SupplierHTTP
from apps.suppliers.http.limits import Limits
from apps.suppliers.http.reply import Reply, Unreadable
from apps.suppliers.http.together import all_within

__all__ = ["Limits", "Reply", "SupplierHTTP", "Unreadable", "all_within"]
