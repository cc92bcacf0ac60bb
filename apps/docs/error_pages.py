"""What the documentation says of each error type, at the address that `error.docUrl` names.

Status and message come from the error's class, the meaning of further fields from `ErrorBody`. This file says when the error
happens and what a partner's developer does about it.
"""

from dataclasses import dataclass

from apps.common import errors
from apps.common.errors import GatewayError
from apps.docs.rendering import ask
from apps.gateway.declared import described
from apps.gateway.openapi.components import EXTRAS

NO = "No"


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """One error. `retry` answers "will the same request succeed later?"; `extras` names the envelope's further fields."""

    error: type[GatewayError]
    happens: str
    do: str
    retry: str = NO
    extras: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        return self.error.type

    @property
    def status(self) -> int:
        return self.error.status

    @property
    def advice(self) -> str:
        """What to do, with the deployment's contact in it. Markdown."""
        return self.do.replace("{ask}", ask())

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """Each extra with what `ErrorBody` says of it."""
        return [(name, described(EXTRAS[name])) for name in self.extras]


PAGES: tuple[ErrorPage, ...] = (
    ErrorPage(
        errors.InvalidRequest,
        "The body is not what the operation takes: malformed JSON, a missing or wrong field, a property that does not exist. "
        "A query parameter out of bounds, a cursor of another listing, an unknown `sbx_` trigger, a chunked body and a host name "
        "that is not ours answer so, too.",
        "Read `details`: each entry names a field by its path and says what is wrong. Where it is empty, as for headers and a "
        "chunked body, `message` says it. Nothing was done. Leave an optional field that you do not use out; `null` is refused, "
        "but for `externalReference`.",
        extras=("details", "detailsOmitted", "safeAfter"),
    ),
    ErrorPage(
        errors.IdempotencyKeyRequired,
        "A POST came without an `Idempotency-Key`, or with one that is not 8 to 255 printable ASCII characters.",
        "Make a fresh key for each new request, a UUID for instance, and repeat it only with the same request.",
    ),
    ErrorPage(
        errors.AuthenticationRequired,
        "There is no `Authorization: Bearer …` header.",
        "Send the key in that header. Look for a proxy that strips it, and for a redirect that loses it.",
    ),
    ErrorPage(
        errors.InvalidApiKey,
        "The secret is not one of ours: mistyped, cut short, or never issued.",
        "Copy the secret again. It is shown once, when the key is created; if it is lost, rotate the key.",
    ),
    ErrorPage(
        errors.ApiKeyRevoked,
        "This key was revoked. Revoking takes effect within a second and cannot be undone.",
        "Use another key, or create one in the portal. The portal's audit trail says who revoked it, and when.",
    ),
    ErrorPage(
        errors.ApiKeyExpired,
        "The secret was replaced by a rotation and the time in which both worked is over, or the key reached its expiry date.",
        "Deploy the new secret, or change the expiry date in the portal. The key's page shows the date, and which secret still "
        "receives calls.",
    ),
    ErrorPage(
        errors.WrongEnvironment,
        "The key is fine, the base address is wrong: a test key called the live address or the other way round.",
        "Change the address. Do not rotate the key.",
        extras=("gatewayEnvironment", "keyEnvironment"),
    ),
    ErrorPage(
        errors.InsufficientFunds,
        "The available balance does not cover the booking. No supplier was asked; nothing is booked or held.",
        "Top up, then send the request again with a fresh Idempotency-Key: the old one keeps this answer. `availableCents` is "
        "the balance without what is held for other bookings.",
        retry="After a top-up, with a fresh Idempotency-Key",
        extras=("availableCents", "requiredCents", "currency"),
    ),
    ErrorPage(
        errors.SpendLimitExceeded,
        "The key has a spend limit that this would exceed. No supplier was asked; nothing is booked or held. `limit` names it: "
        "`perBooking`, `perDay`, `perMonth`; or `approval`, for a change, services or a top-up above what the key may spend "
        "without. Each hold of the key counts in its UTC day and month, less what was released; a refund gives nothing back.",
        "Wait until `resetsAt`, which is `null` for a limit of one hold, or ask an owner of your account to raise the limit "
        "on the key's page. Send the request again with a fresh Idempotency-Key. `GET /v1/account` shows the limits.",
        retry="After `resetsAt`, with a fresh Idempotency-Key",
        extras=("limit", "limitCents", "usedCents", "resetsAt"),
    ),
    ErrorPage(
        errors.PaymentFailed,
        "The payment failed; nothing was booked. Today only the sandbox trigger `sbx_payment_failed` makes it happen.",
        "Handle it as you handle `insufficient_funds`: tell your staff, do not retry in a loop.",
    ),
    ErrorPage(
        errors.AccountNotActive,
        "The account is `read-only` or `suspended`. A read-only account may read what is not billable; a suspended one nothing. "
        "The status is 403, and 402 on the flight change: branch on the type.",
        "To learn why, {ask}. Bookings that stand keep standing.",
    ),
    ErrorPage(
        errors.InsufficientScope,
        "The key does not carry the scope that opens this operation.",
        "Create a key with `missingScope`. Reading a booking needs the same `:book` scope as making it; an eSIM order is read "
        "with `esim:read`.",
        extras=("missingScope",),
    ),
    ErrorPage(
        errors.ProductNotOffered,
        "The service does not sell this product: to nobody, or not to live keys. `product` names it.",
        "Do without it; {ask} whether it will come. What you booked before can still be read and cancelled, and flights changed.",
        extras=("product",),
    ),
    ErrorPage(
        errors.IpNotAllowed,
        "The key is pinned to a list of addresses, and the call came from another. The wire does not say more on purpose.",
        "Open the call in the portal's **Requests**: it shows the address that was seen. Add it to the key, or call "
        "from a listed one.",
    ),
    ErrorPage(
        errors.NotFound,
        "There is no such path, or no such object in this account and environment. A live booking is unknown to a test key.",
        "Check the id, and which key you read with; and the path: it has no slash at its end, and `/v1` is written small.",
    ),
    ErrorPage(
        errors.MethodNotAllowed,
        "The path exists, but not with this method.",
        "The `Allow` header lists the methods it takes.",
    ),
    ErrorPage(
        errors.Conflict,
        "The request contradicts the present state: an `externalReference` that a live booking already carries, a "
        "cancelled booking cancelled again, a penalty above `maxPenaltyCents` or its quote, a refund into the "
        "airline's own credit that was not accepted, a fare that cannot be changed.",
        "Read the object first. With an `externalReference` the answer names the `bookingId` that has it; `refundTo` says that "
        "`acceptAirlineCredit` is missing.",
        extras=("bookingId", "penaltyCents", "refundTo", "currency"),
    ),
    ErrorPage(
        errors.IdempotencyKeyReuse,
        "This Idempotency-Key was used for another request in the last 24 hours: another path, or another body.",
        "Use a fresh key for a new request; for a retry send the stored body, byte for byte if you can.",
    ),
    ErrorPage(
        errors.IdempotencyKeyInProgress,
        "The first call with this Idempotency-Key is still running.",
        "Wait as many seconds as `Retry-After` says and repeat: you get its answer.",
        retry="Yes, after Retry-After",
    ),
    ErrorPage(
        errors.PriceChanged,
        "The price is above what was quoted, or above your `maxTotalCents`. Nothing was booked, nothing is held.",
        "Show the new price. To accept it, send the request again with `maxTotalCents` and a fresh Idempotency-Key. A flight "
        "change takes none: ask for `change-options` again.",
        extras=("previousTotalCents", "currentTotalCents", "currency"),
    ),
    ErrorPage(
        errors.ServiceUnavailable,
        "A bag or a seat of the order is no longer sold: another traveller took it, or the airline withdrew it. Nothing was "
        "booked, nothing is held.",
        "Read the services or the seat maps again, and order with another one, or without it, under a fresh Idempotency-Key. "
        "`serviceId` names the service; it is `null` where the airline does not say which one it is.",
        extras=("serviceId",),
    ),
    ErrorPage(
        errors.OfferExpired,
        "The rate, offer, quote or change option is past its 20 minutes, sold out, or unknown.",
        "Search again, with a fresh Idempotency-Key: the old one answers the old offers. Show the new price. For a change, ask "
        "for `change-options` again.",
        retry="No; search again",
    ),
    ErrorPage(
        errors.EventForgotten,
        "`after` names an event that is not in the feed, or one that is older than 30 days, with later ones deleted too.",
        "Leave `after` out and read from the oldest event. Events before it are gone: list your bookings to see how they stand.",
        retry="No; leave `after` out",
        extras=("oldest",),
    ),
    ErrorPage(
        errors.TravellersForgotten,
        "The travellers of the booking were forgotten, on request or when their time was over. No document is made without them.",
        "Keep the documents that you need before then. The booking itself, its money and its events can still be read.",
        retry="No",
    ),
    ErrorPage(
        errors.PayloadTooLarge,
        "The body is larger than 256 KiB.",
        "No operation needs that much; look for something attached by accident.",
    ),
    ErrorPage(
        errors.UnsupportedMediaType,
        "The body does not say that it is JSON, names another charset than UTF-8, or is compressed.",
        "Send `Content-Type: application/json`, in UTF-8, without `Content-Encoding`.",
    ),
    ErrorPage(
        errors.RateLimitExceeded,
        "With `Retry-After`: the calls of this minute are used up, or too many of your calls wait at the same time. Without, and "
        "with `X-Search-Quota-Remaining: 0`: the searches of this day are used up.",
        "With `Retry-After`: wait that many seconds. Without: stop searching until midnight UTC. Bookings and reads go on.",
        retry="Yes, after Retry-After; without it, tomorrow",
        extras=("retryAfter",),
    ),
    ErrorPage(
        errors.InternalError,
        "Something failed on our side. We see it as soon as you do.",
        "Repeat with the same Idempotency-Key and body, a few times, with backoff. If it stays, {ask}, and name the `requestId`.",
        retry="Yes, bounded, with backoff",
    ),
    ErrorPage(
        errors.UpstreamError,
        "The supplier refused. Certainly nothing was booked, and the hold was released before this answer.",
        "Repeat with backoff: a retry is a new attempt. If it stays, offer the traveller something else.",
        retry="Yes, with backoff",
    ),
    ErrorPage(
        errors.UpstreamUnavailable,
        "The supplier, or a part of our own, did not answer. For a booking the outcome may be unknown: the amount stays "
        "held, and we look the booking up until it is certain.",
        "Repeat with the **same** Idempotency-Key and body, with backoff. It resumes what the first "
        "call began and never books twice.",
        retry="Yes, with backoff",
    ),
)

BY_TYPE = {page.type: page for page in PAGES}


def table() -> str:
    """All errors, as a Markdown table."""
    rows = (f"| {page.status} | [`{page.type}`](/docs/errors/{page.type}) | {page.retry} |" for page in PAGES)
    return "\n".join(["| Status | Type | Repeat? |", "|---|---|---|", *rows])
