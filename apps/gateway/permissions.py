"""Whether a partner may make this call: steps 5 to 9 of contract §2, one class each, in the order of `PERMISSIONS`.

`allows` decides, also about a partner whose key is still being looked up (`authentication.counter_of`). `refusal` says why not.
"""

from django.conf import settings
from rest_framework.permissions import BasePermission

from apps.common import errors
from apps.common.environments import Environment
from apps.gateway import throttling
from apps.gateway.client_ip import address_to_log, client_address
from apps.gateway.operations import ANY_SCOPE, methods_served
from apps.gateway.requests import PartnerRequest
from apps.keys import allowed_ips, scopes
from apps.keys.partner import Partner


class Permission(BasePermission):
    code: str

    def has_permission(self, request: PartnerRequest, view: object) -> bool:  # type: ignore[override]
        """Raises the refusal, which says more than False."""
        if not self.allows(request.partner, request):
            raise self.refusal(request)
        return True

    @staticmethod
    def allows(partner: Partner, request: PartnerRequest) -> bool:
        raise NotImplementedError

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        raise NotImplementedError


class EnvironmentServed(Permission):
    """Step 5: the key's environment, checked only if the deployment serves a single one."""

    code = errors.WrongEnvironment.type

    @staticmethod
    def allows(partner: Partner, _request: PartnerRequest) -> bool:
        return settings.GATEWAY_ENVIRONMENT in ("", partner.environment)

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        here, of_key = settings.GATEWAY_ENVIRONMENT, request.partner.environment
        # Every 401 shows the window of the address. This one is not counted, because it is no guess at a key.
        request.window = throttling.window_of(
            throttling.counter_of_address(client_address(request.http), request.rate_class)
        )
        return errors.WrongEnvironment(
            why=f"The key is a {of_key} key; this address serves {here} keys alone.",
            gatewayEnvironment=here,
            keyEnvironment=of_key,
        )


class AddressListed(Permission):
    """Step 6: the key's list of addresses. The refusal does not explain itself."""

    code = errors.IpNotAllowed.type

    @staticmethod
    def allows(partner: Partner, request: PartnerRequest) -> bool:
        allowed = partner.allowed_ips
        return not allowed or allowed_ips.allows(allowed, client_address(request.http))

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        seen = address_to_log(client_address(request.http)) or "an address that could not be read"
        allowed = errors.listed(request.partner.allowed_ips)
        return errors.IpNotAllowed(
            why=f"The call came from {seen}, which is not in the key's list: {allowed}."
        )


class MethodTaken(Permission):
    """Step 7: 405 with Allow, before scopes are checked."""

    code = errors.MethodNotAllowed.type

    @staticmethod
    def allows(_partner: Partner, request: PartnerRequest) -> bool:
        return request.known_operation is not None

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        allowed = methods_served(request.operations)
        return errors.MethodNotAllowed(
            why=f"This path takes {errors.listed(allowed)} alone.", headers={"Allow": ", ".join(allowed)}
        )


class AccountActive(Permission):
    """Step 8: a read-only account may GET what is not billable, a suspended one nothing."""

    code = errors.AccountNotActive.type

    @staticmethod
    def allows(partner: Partner, request: PartnerRequest) -> bool:
        status = partner.account_status
        return status == "active" or (
            status == "read-only" and request.method in ("GET", "HEAD") and not request.operation.counts_quota
        )

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        status = request.partner.account_status
        message, why = f"The account is {status}.", ""
        if status == "read-only":
            why = "The account is read-only: it may read what is not billable, and nothing else."
        return errors.AccountNotActive(
            message, ours=True, why=why or message, status=request.operation.inactive_status
        )


class ProductOffered(Permission):
    """Step 9: the product is sold to the key's environment. What was booked before is looked after anyway."""

    code = errors.ProductNotOffered.type

    @staticmethod
    def allows(partner: Partner, request: PartnerRequest) -> bool:
        product = request.operation.sells
        return not product or scopes.is_sold_to(product, partner.environment)

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        product = request.operation.sells
        environment = request.partner.environment if scopes.is_sold(product) else ""
        return errors.ProductNotOffered(product, environment)


class ScopeGranted(Permission):
    """Step 9: the key opens the operation. A control of the sandbox takes any test key and no live one."""

    code = errors.InsufficientScope.type

    @staticmethod
    def allows(partner: Partner, request: PartnerRequest) -> bool:
        operation = request.operation
        if operation.sandbox:
            return partner.environment == Environment.TEST
        return (
            operation.scope == ANY_SCOPE
            or operation.scope in partner.scopes
            or any(scope in partner.scopes for scope in operation.other_scopes)
        )

    def refusal(self, request: PartnerRequest) -> errors.GatewayError:
        if (
            request.operation.sandbox
        ):  # a 403: the address is right, and no live key may move a clock or plant a fault
            return errors.WrongEnvironment(
                "The sandbox takes test keys alone.",
                ours=True,
                status=403,
                why="The controls of the sandbox take test keys alone; the key is a live key.",
                gatewayEnvironment=str(Environment.TEST),
                keyEnvironment=request.partner.environment,
            )
        needed, has = request.operation.scopes, errors.listed(sorted(request.partner.scopes))
        named = f"the scope {needed[0]}" if len(needed) == 1 else f"one of the scopes {errors.listed(needed)}"
        return errors.InsufficientScope(
            why=f"The operation needs {named}; the key has {has}.", missingScope=needed[0]
        )


PERMISSIONS: tuple[type[Permission], ...] = (
    EnvironmentServed,
    AddressListed,
    MethodTaken,
    AccountActive,
    ProductOffered,
    ScopeGranted,
)
