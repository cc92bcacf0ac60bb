"""Airalo's Partner API v2 in its own words: paths, bodies, the bearer token, and how long each call may take."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from apps.esim.suppliers.airalo.errors import answer_of, is_not_ours, readable
from apps.esim.suppliers.airalo.numbers import count
from apps.suppliers.errors import Missing, Unavailable
from apps.suppliers.http import Limits, Reply, SupplierHTTP
from apps.suppliers.tokens import TokenStore

TOKEN_LIMITS = Limits(read=10)
CATALOGUE_LIMITS = Limits(read=60)
ORDER_LIMITS = Limits(read=60)
USAGE_LIMITS = Limits(read=8)
PROFILE_LIMITS = Limits(read=10)

PLACES_A_PAGE = 100
MOST_PAGES = 200
MOST_ORDERS = 100

Send = Callable[[Mapping[str, str]], Reply]


class AiraloClient:
    """Calls that answer parsed JSON, and raise what a refusal means."""

    def __init__(self, *, http: SupplierHTTP, tokens: TokenStore, client_id: str, client_secret: str) -> None:
        self.http = http
        self.tokens = tokens
        self.client_id = client_id
        self._client_secret = client_secret

    def pages(self, kind: str) -> Iterator[Any]:
        """The packages of `local` or `global`, page by page until the last one that an answer names."""
        page = last = 1
        while page <= last:
            if page > MOST_PAGES:
                raise Unavailable("Airalo's catalogue has no end")
            body = self.page(kind, page, limit=PLACES_A_PAGE)
            yield body
            with readable():
                last = count((body.get("meta") or {}).get("last_page") or 1)
            page += 1

    def page(self, kind: str, page: int, *, limit: int) -> Any:
        query = {"filter[type]": kind, "limit": str(limit), "page": str(page)}
        return self._read("/packages", query, CATALOGUE_LIMITS)

    def order(self, package_id: str, description: str) -> Any:
        """Buys one eSIM, at each call: nothing about this is idempotent."""
        body = {"package_id": package_id, "quantity": 1, "type": "sim", "description": description}
        reply = self._authorised(
            lambda headers: self.http.write(
                "POST", "/orders", json=body, headers=headers, limits=ORDER_LIMITS
            ),
            wrote=True,
        )
        return answer_of(reply, wrote=True)

    def top_up(self, iccid: str, package_id: str, description: str) -> Any:
        """Buys one top-up, at each call. A form, as their own client sends it."""
        form = {"package_id": package_id, "iccid": iccid, "description": description}
        reply = self._authorised(
            lambda headers: self.http.write(
                "POST", "/orders/topups", form=form, headers=headers, limits=ORDER_LIMITS
            ),
            wrote=True,
        )
        return answer_of(reply, wrote=True)

    def orders_like(self, description: str) -> Any:
        """The orders whose description contains `description`."""
        return self._orders("description", description)

    def orders_of(self, iccid: str) -> Any:
        """The orders of one profile, its top-ups too."""
        return self._orders("iccid", iccid)

    def _orders(self, filtered_by: str, text: str) -> Any:
        query = {f"filter[{filtered_by}]": text, "include": "sims,status", "limit": str(MOST_ORDERS)}
        return self._read("/orders", query, ORDER_LIMITS)

    def order_by_id(self, order_id: str) -> Any:
        return self._read_ours(
            f"/orders/{quote(order_id, safe='')}", ORDER_LIMITS, query={"include": "sims,status"}
        )

    def usage(self, iccid: str) -> Any:
        return self._read_ours(_profile(iccid, "usage"), USAGE_LIMITS)

    def top_ups(self, iccid: str) -> Any:
        """The packages that a profile can be topped up with."""
        return self._read_ours(_profile(iccid, "topups"), PROFILE_LIMITS)

    def instructions(self, iccid: str, language: str) -> Any:
        return self._read_ours(
            _profile(iccid, "instructions"), PROFILE_LIMITS, headers={"Accept-Language": language}
        )

    def _read(self, path: str, query: Mapping[str, str], limits: Limits) -> Any:
        return answer_of(self._get(path, query, limits))

    def _read_ours(
        self,
        path: str,
        limits: Limits,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """One object of ours. Raises Missing where they say that it is somebody else's."""
        reply = self._get(path, query or {}, limits, headers or {})
        if is_not_ours(reply):
            raise Missing("Airalo has it under no name of ours")
        return answer_of(reply)

    def _get(
        self,
        path: str,
        query: Mapping[str, str],
        limits: Limits,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Reply:
        return self._authorised(
            lambda headers: self.http.read(
                "GET", path, query=query, headers={**headers, **more}, limits=limits
            )
        )

    def _authorised(self, send: Send, *, wrote: bool = False) -> Reply:
        """With a token that was renewed once where Airalo no longer took it: a 401 has done nothing, not even on a write."""
        token = self.tokens.get(self._new_token)
        reply = send(_bearer(token))
        if reply.status != 401 or not self._gives_up(token, reply, wrote=wrote):
            return reply
        return send(_bearer(self.tokens.get(self._new_token)))

    def _gives_up(self, token: str, reply: Reply, *, wrote: bool) -> bool:
        """Whether `token` is to be renewed after this 401. A read that is refused in the words for somebody else's object may be
        refused for the token as well: that is tried now and then, and not for each of them.
        """
        if is_not_ours(reply) and not wrote:
            return self.tokens.doubt(token)
        self.tokens.forget(token)
        return True

    def _new_token(self) -> tuple[str, float]:
        """A token, and for how many seconds they say it is good: a day in their text, a year in their example."""
        form = {
            "client_id": self.client_id,
            "client_secret": self._client_secret,
            "grant_type": "client_credentials",
        }
        reply = self.http.read(
            "POST", "/token", form=form, headers={"Accept": "application/json"}, limits=TOKEN_LIMITS
        )
        body = answer_of(reply)
        with readable():
            return str(body["data"]["access_token"]), float(body["data"]["expires_in"])


def _profile(iccid: str, part: str) -> str:
    return f"/sims/{quote(iccid, safe='')}/{part}"


def _bearer(token: str) -> dict[str, str]:
    return {"Accept": "application/json", "Authorization": f"Bearer {token}"}
