"""Who is calling: the API key in `Authorization: Bearer`, and the tokens of those who run the service."""

import re
from typing import cast

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.common import clock
from apps.common.errors import AuthenticationRequired, GatewayError, OfAnOwner
from apps.common.redis import Counter
from apps.gateway import throttling
from apps.gateway.client_ip import address_to_log, client_address
from apps.gateway.permissions import PERMISSIONS
from apps.gateway.requests import PartnerRequest
from apps.keys import authentication
from apps.keys.partner import Partner

BEARER = re.compile(r"Bearer +([\x21-\x7e]+)", re.IGNORECASE)


class KeyAuthentication(BaseAuthentication):
    """Step 4 of contract §2: `request.auth` becomes the partner. There is no `request.user`."""

    def authenticate(self, request: Request) -> tuple[None, Partner]:
        """Raises the refusal. A failure is counted for the address. It never refuses a valid key from the same address."""
        request = cast("PartnerRequest", request)
        sent = request.META.get("HTTP_AUTHORIZATION", "")
        header = BEARER.fullmatch(sent.strip())
        try:
            if header is None:
                why = "The Authorization header is not `Bearer <key>`." if sent else ""
                raise AuthenticationRequired(why=why or "There was no Authorization header.")
            partner, counted = authentication.authenticate_and_count(
                header[1], lambda partner: counter_of(request, partner)
            )
        except GatewayError as error:
            if error.status_code == 401:
                count_failure(request, error)
            raise
        if counted is not None:
            request.counted = throttling.seen(counted.counter, counted.used, admitted=counted.admitted)
        clock.enter(clock.Place(partner.account_id, partner.environment, partner.clock_offset))
        request.known_partner = partner
        return None, partner


def counter_of(request: PartnerRequest, partner: Partner) -> Counter | None:
    """The counter of step 10 if steps 5 to 9 let the partner's call pass, so that looking the key up counts it as well."""
    if not all(permission.allows(partner, request) for permission in PERMISSIONS):
        return None
    return throttling.counter_of(partner, request.operation.rate_class)


def count_failure(request: PartnerRequest, error: GatewayError) -> None:
    """Raises RateLimitExceeded once an address has sent too many invalid keys."""
    address = client_address(request.http)
    if isinstance(error, OfAnOwner):
        error.why = f"Whoever calls from {address_to_log(address)} still uses {error.why}."
    request.window = throttling.window_of(
        throttling.counter_of_address(address, request.rate_class), throttling.COUNT
    )
    throttling.refuse_above_limit(request.window, clock.now(), whose="this address, without a valid key,")


def has_token(request: HttpRequest | Request, token: str) -> bool:
    """Whether the request carries `token`, which guards /metrics and /health/full. Takes as long whatever is sent."""
    scheme, _, sent = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(sent.strip(), token)
