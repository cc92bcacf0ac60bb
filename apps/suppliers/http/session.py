"""The `requests.Session` of a supplier: nothing from the surroundings, nothing remembered, nothing followed."""

from http.cookiejar import DefaultCookiePolicy

import requests

from apps.suppliers.http.connections import TimelyAdapter

HEADERS = {"User-Agent": "TravelPartnerAPI/1.0", "Accept": "application/json", "Accept-Encoding": "gzip"}


class SupplierSession(requests.Session):
    """Without redirects, proxies, .netrc or cookies."""

    def __init__(self, *, kept_connections: int) -> None:
        super().__init__()
        self.trust_env = False
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.headers.clear()
        self.headers.update(HEADERS)
        adapter = TimelyAdapter(pool_connections=1, pool_maxsize=kept_connections)
        self.mount("https://", adapter)
        self.mount("http://", adapter)

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None is followed; `requests` would read such an answer's body whole, whatever its size, to see where to."""
