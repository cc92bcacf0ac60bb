"""How operations are drawn, from the declarations that the gateway checks (`operations.Operation`), and how components are named.

Generators make their classes of the names. The rule, by the name of the serializer's class:

- A request body, `FlightOrderBody`, is a `FlightOrderRequest`.
- An object inside a request body, `GuestBody`, is a `HotelGuestInput`, so that the answer's `HotelGuest` is another.
- A page of a list, `FlightOrderPage`, is a `FlightOrderList`.
- An answer or an object inside one, `SegmentAnswer`, is a plain noun: `FlightSegment`.
- The noun of the product stands in front where the name does not hold it.

If the rule gives no good name, the class has its own: `extend_schema_serializer(component_name=…)`. So has what one POST
answers and nothing reads again: `FlightSearchResponse`.
"""

from collections.abc import Iterable
from typing import Any, cast

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_choice_field
from rest_framework.serializers import ListField, Serializer

from apps.common import errors
from apps.gateway.declared import notes
from apps.gateway.fields import Cents, Text
from apps.gateway.openapi import components
from apps.gateway.operations import ANY_SCOPE, OPEN, SINCE, Operation
from apps.gateway.sandbox import TRIGGERS
from apps.gateway.serializers import AnswerBody, Body
from apps.gateway.viewsets import OperationViewSet

NOUNS = {
    "esim": "Esim",
    "flights": "Flight",
    "hotels": "Hotel",
    "sandbox": "Sandbox",
    "transfers": "Transfer",
    "webhooks": "Webhook",
}


def component_name(serializer: type[Serializer[Any]], *, is_request: bool) -> str:
    """The component of a body or an answer, or of an object inside one. `is_request`: it is the whole body of a request."""
    return _own_name(serializer) or _by_rule(serializer, is_request=is_request)


def event_name(event_type: str) -> str:
    """The component of an event's payload: `booking.confirmed` is a `WebhookBookingConfirmed`."""
    words = event_type.replace(".", " ").replace("_", " ").title().split()
    return "".join(words if words[0] == "Webhook" else ["Webhook", *words])


def _own_name(serializer: type[Serializer[Any]]) -> str | None:
    """What the class itself says; a class that extends it is another component."""
    said: str | None = vars(serializer).get("_spectacular_annotation", {}).get("component_name")
    return said


def _by_rule(serializer: type[Serializer[Any]], *, is_request: bool) -> str:
    name = serializer.__name__
    if issubclass(serializer, Body):
        name = name.removesuffix("Body") + ("Request" if is_request else "Input")
    elif name.endswith("Page"):
        name = name.removesuffix("Page") + "List"
    else:
        name = name.removesuffix("Answer")
    noun = NOUNS.get(serializer.__module__.split(".")[1], "")
    return name if noun in name else noun + name


# A host name that is not ours, a body in pieces, or a crash: any path may answer so.
OF_ANY = (errors.InvalidRequest, errors.InternalError)
WITH_A_KEY = (
    errors.AuthenticationRequired,
    errors.InvalidApiKey,
    errors.ApiKeyRevoked,
    errors.ApiKeyExpired,
    errors.WrongEnvironment,
    errors.AccountNotActive,
    errors.InsufficientScope,
    errors.IpNotAllowed,
    errors.RateLimitExceeded,
    errors.UpstreamUnavailable,
)
WITH_BODY = (errors.PayloadTooLarge, errors.UnsupportedMediaType)
ON_POST = (errors.IdempotencyKeyRequired, errors.IdempotencyKeyReuse, errors.IdempotencyKeyInProgress)

BOUNDS = ("minimum", "maximum", "format")

# A form that is filled in with the examples makes no call fail.
NO_TRIGGER = "customer-4711"


class OpenChoices(OpenApiSerializerFieldExtension):
    """An answer's enumerations are open: a client made from this document must survive a value that comes later.

    (Specification §9.) A request's enumerations are closed.
    """

    target_class = "apps.gateway.fields.Choice"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> Any:
        if direction == "request":
            return build_choice_field(self.target)
        return {"type": "string", OPEN: list(self.target.choices)}


class Constants(OpenApiSerializerFieldExtension):
    target_class = "apps.gateway.fields.Constant"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> Any:
        (value,) = self.target.choices
        return {"type": "string", "const": value}


class Kinds(OpenApiSerializerFieldExtension):
    target_class = "apps.gateway.fields.OneOf"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> Any:
        kinds = {
            value: auto_schema.resolve_serializer(kind, direction).ref
            for value, kind in self.target.kinds.items()
        }
        mapping = {str(value): kind["$ref"] for value, kind in kinds.items()}
        return {
            "oneOf": [*kinds.values()],
            "discriminator": {"propertyName": self.target.tell_by, "mapping": mapping},
        }


class GatewaySchema(AutoSchema):
    """One operation's entry, read off its Operation."""

    @property
    def declared(self) -> Operation:
        operations: dict[str, Operation] = self.view.operations  # type: ignore[attr-defined]
        return operations[self.method]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        return {**found, SINCE: self.declared.since} if found and self.declared.since else found

    def get_operation_id(self) -> str:
        return self.declared.id

    def get_summary(self) -> str:
        return self.declared.summary.rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        parts = [self.declared.description]
        if self.declared.scope:
            quota = (
                "counts against the search quota"
                if self.declared.counts_quota
                else "free of the search quota"
            )
            scope = " or ".join(f"`{each}`" for each in self.declared.scopes)
            scope = "Any scope" if self.declared.scope == ANY_SCOPE else f"Scope {scope}"
            parts.append(f"{scope}, rate class {self.declared.rate_class}, {quota}.")
        elif self.declared.sandbox:
            parts.append(f"Test keys only, any scope, rate class {self.declared.rate_class}.")
        return "\n\n".join(part for part in parts if part)

    def get_tags(self) -> list[str]:
        parts = self.path.strip("/").split("/")
        return [parts[1] if parts[0] == "v1" and len(parts) > 1 else parts[0]]

    def get_auth(self) -> list[dict[str, Any]]:
        if self.declared.scope == ANY_SCOPE or self.declared.sandbox:
            return [{"apiKey": []}]
        return [{"apiKey": [scope]} for scope in self.declared.scopes]

    def _get_serializer_name(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> str:
        of = type(getattr(serializer, "child", serializer))
        return component_name(of, is_request=of is self.declared.body)

    def _get_serializer_field_meta(self, field: Any, direction: Any) -> dict[str, Any]:
        return {
            **super()._get_serializer_field_meta(field, direction),
            **notes(field, in_request=direction == "request"),
        }

    def _map_serializer(
        self, serializer: Any, direction: Any, bypass_extensions: bool = False
    ) -> dict[str, Any]:
        """Request bodies take no unknown property, and the document says so."""
        schema: dict[str, Any] = super()._map_serializer(serializer, direction, bypass_extensions)
        kind = serializer if isinstance(serializer, type) else type(serializer)
        return {**schema, "additionalProperties": False} if issubclass(kind, Body) else schema

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """With what a request's text looks like, so that a client can check before it calls, and without a response's bounds."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)
        if direction == "response" and isinstance(field, Cents):
            return {name: value for name, value in schema.items() if name not in BOUNDS}
        if (
            isinstance(field, Text)
            and field.documented_pattern
            and "type" in schema
            and direction == "request"
        ):
            return {**schema, "pattern": field.documented_pattern}
        return schema

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        holder = field.parent
        while isinstance(holder, ListField):
            holder = holder.parent
        if not isinstance(holder, AnswerBody):
            super()._insert_field_validators(field, schema)

    def draw(self, field: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._map_serializer_field(field, "response")
        return found

    def _get_parameters(self) -> list[dict[str, Any]]:
        return [
            *self._path_parameters(),
            *self._header_parameters(),
            *map(components.of_query, self.declared.query),
        ]

    def _path_parameters(self) -> Iterable[dict[str, Any]]:
        for part in self.path.split("/"):
            if part.startswith("{"):
                name, view = part.strip("{}"), cast("OperationViewSet", self.view)
                yield {
                    "in": "path",
                    "name": name,
                    "required": True,
                    "description": view.other_handles.get(name, view.handle),
                    "schema": {"type": "string", "minLength": 1},
                }

    def _header_parameters(self) -> Iterable[dict[str, Any]]:
        if self.method == "POST":
            yield components.parameter_ref(components.IDEMPOTENCY_KEY)
        if self.declared.triggers:
            triggers = [trigger for trigger in TRIGGERS if trigger in self.declared.triggers]
            yield {
                "in": "header",
                "name": "X-Partner-Customer-Ref",
                "description": (
                    "With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is "
                    "rejected; other values are ignored."
                ),
                "schema": {"type": "string", OPEN: triggers},
                "example": NO_TRIGGER,
            }

    def _get_request_body(self, direction: Any = "request") -> Any:
        if self.declared.body is None:
            return None
        component = self.resolve_serializer(self.declared.body, direction)
        required = any(field.required for field in self.declared.body().fields.values())
        return {"content": {"application/json": {"schema": component.ref}}, "required": required}

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        found: dict[str, Any] = {}
        for status, answer in {self.declared.status: self.declared.answer, **self.declared.also}.items():
            found[str(status)] = self._success(status, answer)
        for status, types in sorted(self._refusals().items()):
            if str(status) not in found:
                found[str(status)] = components.refusal(status, types)
        return found

    def _success(self, status: int, answer: Any) -> dict[str, Any]:
        """What an operation answers by itself; of `/health/ready` that may be a 503."""
        named = self._headers() | components.retry_after_of(status)
        entry: dict[str, Any] = {"description": self.declared.summary, "headers": named}
        if answer is not None:
            schema = self.resolve_serializer(answer, "response").ref
            entry["content"] = {"application/json": {"schema": schema}}
        if status == self.declared.status and self.declared.files:
            medias = " or ".join(f"`{media}`" for media in self.declared.files)
            body = "JSON, or a file" if answer else "a file"
            entry["description"] = f"{self.declared.summary} The body is {body}: {medias}."
            entry["headers"] = named | components.header_refs(components.DISPOSITION)
            files = {media: {"schema": components.FILE} for media in self.declared.files}
            entry["content"] = entry.get("content", {}) | files
        return entry

    def _refusals(self) -> dict[int, list[str]]:
        classes: list[type[errors.GatewayError]] = [*self.declared.errors, *OF_ANY]
        if self.declared.needs_key:
            classes += WITH_A_KEY
            if self.declared.sells:
                classes.append(errors.ProductNotOffered)
            if self.method != "GET":
                classes += WITH_BODY
            if self.method == "POST":
                classes += ON_POST
        if self.declared.sandbox:
            classes.remove(errors.InsufficientScope)
        found: dict[int, list[str]] = {403: [errors.WrongEnvironment.type]} if self.declared.sandbox else {}
        for refusal in classes:
            status = self.declared.inactive_status if refusal is errors.AccountNotActive else refusal.status
            types = found.setdefault(status, [])
            if refusal.type not in types:
                types.append(refusal.type)
        return found

    def _headers(self) -> dict[str, Any]:
        named = [components.REQUEST_ID]
        if self.declared.needs_key:
            named += [*components.LIMITS, *components.QUOTA, components.IGNORED]
        if self.declared.counts_quota:
            named.append(components.BILLABLE)
        if self.method == "POST":
            named.append(components.REPLAYED)
        return components.header_refs(*named)
