"""The documentation of each error type: the pages that `error.docUrl` links, and the one table of when to retry.

Status and message come from the error's class, the meaning of further fields from `ErrorBody`, and whether a repeated call gets
the same answer from the gateway. This file adds when an error happens and what a partner's developer does about it.
"""

from dataclasses import dataclass
from itertools import groupby

import orjson

from apps.common import errors
from apps.common.errors import GatewayError
from apps.docs.rendering import ask
from apps.gateway.declared import described
from apps.gateway.exceptions import error_body
from apps.gateway.openapi.components import BY_TYPE as EXAMPLES
from apps.gateway.openapi.components import EXAMPLE_REQUEST_ID, EXTRAS
from apps.gateway.settlement import is_stored

ADDRESS = "/docs/errors/"
AFTER_WAITING = "Yes, after `Retry-After`"
WITH_BACKOFF = "Yes, with backoff"
WITH_ACCESS = "With the right API key and address"
ONCE_ALLOWED = "Once it is allowed"


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """One error. `happens`, `do` and `retry` are Markdown; `extras` names the envelope's further fields."""

    error: type[GatewayError]
    happens: str
    do: str
    retry: str
    """When to send the request again, as the table has it."""
    extras: tuple[str, ...] = ()
    keyless: bool = False
    """Whether it answers calls without an Idempotency-Key alone."""

    @property
    def type(self) -> str:
        return self.error.type

    @property
    def status(self) -> int:
        return self.error.status

    @property
    def key(self) -> str:
        """Which Idempotency-Key the next attempt has: a stored answer would be replayed under the same one."""
        if self.keyless:
            return "–"
        return "new" if is_stored(self.status, EXAMPLES[self.type]) else "same"

    @property
    def advice(self) -> str:
        """What to do, with the deployment's contact in it. Markdown."""
        return self.do.replace("{ask}", ask())

    @property
    def example(self) -> str:
        """The whole answer, as a block of JSON."""
        answer = error_body(EXAMPLES[self.type], EXAMPLE_REQUEST_ID)
        return f"```json\n{orjson.dumps(answer, option=orjson.OPT_INDENT_2).decode()}\n```"

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """Each extra with its description in `ErrorBody`."""
        return [(name, described(EXTRAS[name])) for name in self.extras]


PAGES: tuple[ErrorPage, ...] = (
    ErrorPage(
        errors.InvalidRequest,
        "The request is malformed: JSON that cannot be parsed, a missing, wrong or unknown field, a query parameter out of "
        "bounds, a cursor of another list, or an unknown `sbx_` trigger. Chunked bodies get the same error.",
        "Read `details`: each entry has the path of a field and what is wrong with it. If `details` is empty, read `message`. "
        "Leave out optional fields that you do not use: `null` is only valid for `externalReference`.",
        "After correcting it",
        extras=("details", "detailsOmitted", "safeAfter"),
    ),
    ErrorPage(
        errors.IdempotencyKeyRequired,
        "A POST has no `Idempotency-Key`, or one that is not 8 to 255 printable ASCII characters.",
        "Generate a key for each request, for example a UUID, and reuse it only to retry that request.",
        "With a valid key",
    ),
    ErrorPage(
        errors.AuthenticationRequired,
        "The request has no `Authorization: Bearer …` header.",
        "Send your API key in that header. If you do, look for a proxy or a redirect that removes it.",
        WITH_ACCESS,
    ),
    ErrorPage(
        errors.InvalidApiKey,
        "We never issued this secret: it is mistyped or cut off.",
        "Copy the secret again. It is shown once, when the key is created; if you have lost it, rotate the key.",
        WITH_ACCESS,
    ),
    ErrorPage(
        errors.ApiKeyRevoked,
        "The key was revoked. Revoking takes effect within a second and is final.",
        "Use another key, or create one in the portal. The audit trail there shows who revoked it, and when.",
        WITH_ACCESS,
    ),
    ErrorPage(
        errors.ApiKeyExpired,
        "The key has passed its expiry date, or the secret was replaced by a rotation whose overlap has ended.",
        "Deploy the new secret, or change the expiry date in the portal. The key's page shows which secret is in use.",
        WITH_ACCESS,
    ),
    ErrorPage(
        errors.WrongEnvironment,
        "The key is valid, but belongs to the other environment: a test key was sent to a live address, or a live key to a test "
        "address.",
        "Change the address or use the key of this environment. There is no need to rotate the key.",
        WITH_ACCESS,
        extras=("gatewayEnvironment", "keyEnvironment"),
    ),
    ErrorPage(
        errors.InsufficientFunds,
        "The available balance does not cover the price. The supplier was not called; nothing is booked or held.",
        "Top up, then book again. `availableCents` excludes what is held for other bookings.",
        "After a top-up",
        extras=("availableCents", "requiredCents", "currency"),
    ),
    ErrorPage(
        errors.SpendLimitExceeded,
        "The call would exceed a spend limit of the key. The supplier was not called; nothing is booked or held. `limit` is "
        "`perBooking`, `perDay` or `perMonth`; or `approval`, for a change, extra services or an eSIM top-up above the amount "
        "that needs approval. Each hold counts in its UTC day and month, less what was released. Refunds do not count back.",
        "Wait until `resetsAt` (`null` for a limit of one booking), or ask an owner of your account to raise the limit on the "
        "key's page. `GET /v1/account` shows the limits.",
        "After `resetsAt`, or with a higher limit",
        extras=("limit", "limitCents", "usedCents", "resetsAt"),
    ),
    ErrorPage(
        errors.PaymentFailed,
        "The payment failed; nothing was booked. Only the sandbox trigger `sbx_payment_failed` causes it today.",
        "Handle it like `insufficient_funds`: alert your staff, and do not retry in a loop.",
        "Once the cause is fixed",
    ),
    ErrorPage(
        errors.AccountNotActive,
        "The account is `read-only` or `suspended`. A read-only account can still make reads that are free; a suspended account "
        "can make no calls. Changing a flight order returns this type with status 402.",
        "To find out why, {ask}. Existing bookings stay valid.",
        ONCE_ALLOWED,
    ),
    ErrorPage(
        errors.InsufficientScope,
        "The key does not have the scope that this operation needs.",
        "Use a key that has `missingScope`. Reading a booking needs the `:book` scope, as making it does; reading an eSIM order "
        "needs `esim:read`.",
        ONCE_ALLOWED,
        extras=("missingScope",),
    ),
    ErrorPage(
        errors.ProductNotOffered,
        "The service does not sell this `product`, or sells it in the other environment only.",
        "To find out whether it will be available, {ask}. You can still read and cancel what you booked before.",
        ONCE_ALLOWED,
        extras=("product",),
    ),
    ErrorPage(
        errors.IpNotAllowed,
        "The key accepts calls from a list of addresses, and this call came from another one. The answer gives no details on "
        "purpose.",
        "Open the call under **Requests** in the portal to see which address it came from. Add that address to the key, or call "
        "from a listed one.",
        ONCE_ALLOWED,
    ),
    ErrorPage(
        errors.NotFound,
        "The path does not exist, or the object does not exist in this account and environment. A test key cannot read live "
        "bookings.",
        "Check the id, the key, and the path: no slash at the end, and `/v1` in lower case.",
        "No",
    ),
    ErrorPage(
        errors.MethodNotAllowed,
        "The path does not support this method.",
        "Use a method of the `Allow` header.",
        "With another method",
    ),
    ErrorPage(
        errors.Conflict,
        "The request does not fit the current state. Examples: another live booking has the `externalReference`; the booking is "
        "cancelled already; cancelling costs more than `maxPenaltyCents` or the quote; the refund is an airline credit that you "
        "did not accept; the fare cannot be changed.",
        "Read the object first. A duplicate `externalReference` returns the `bookingId` that has it. `refundTo` means that the "
        "call needs `acceptAirlineCredit`.",
        "Not unchanged: read the object first",
        extras=("bookingId", "penaltyCents", "refundTo", "currency"),
    ),
    ErrorPage(
        errors.IdempotencyKeyReuse,
        "The key was used in the last 24 hours for another path or another body. This call did nothing.",
        "Generate a new key for a new request. To retry the earlier request, send the body that you sent then.",
        "If it is a new request",
    ),
    ErrorPage(
        errors.IdempotencyKeyInProgress,
        "An earlier call with this Idempotency-Key is still running.",
        "Wait for the seconds in `Retry-After`, then repeat the call: it returns the answer of the earlier one.",
        AFTER_WAITING,
    ),
    ErrorPage(
        errors.PriceChanged,
        "The price is above the quoted one, or above your `maxTotalCents`. Nothing is booked or held.",
        "Show the new price. To accept it, send it as `maxTotalCents`. For a flight change, read `change-options` again "
        "instead.",
        "If you accept the new price",
        extras=("previousTotalCents", "currentTotalCents", "currency"),
    ),
    ErrorPage(
        errors.ServiceUnavailable,
        "A bag or seat of the order is no longer for sale. Nothing is booked or held.",
        "Read the services or seat maps again, then order with another one or without it. `serviceId` is `null` if the airline "
        "does not say which one is gone.",
        "Without that bag or seat",
        extras=("serviceId",),
    ),
    ErrorPage(
        errors.OfferExpired,
        "The rate, offer, quote or change option is older than 20 minutes, sold out, or unknown.",
        "Search again and show the new price. For a change, read `change-options` again. A search also needs a new "
        "Idempotency-Key: its old one returns the old offers.",
        "After a new search",
    ),
    ErrorPage(
        errors.EventForgotten,
        "`after` is an event that the feed does not have, or is so old that later events have been deleted as well. Events are "
        "kept for 30 days.",
        "Leave out `after` to read from the oldest event, and list your bookings to see their current state.",
        "Without `after`",
        extras=("oldest",),
        keyless=True,
    ),
    ErrorPage(
        errors.TravellersForgotten,
        "The personal data of the travellers was erased, on request or at the end of its retention. Documents cannot be made "
        "without it.",
        "Download the documents that you need earlier. You can still read the booking, its money and its events.",
        "No",
        keyless=True,
    ),
    ErrorPage(
        errors.PayloadTooLarge,
        "The body is larger than 256 KiB.",
        "No operation needs a body of that size; look for something attached by accident.",
        "With a smaller body",
    ),
    ErrorPage(
        errors.UnsupportedMediaType,
        "The body is not declared as JSON, is not in UTF-8, or is compressed.",
        "Send `Content-Type: application/json`, UTF-8, and no `Content-Encoding`.",
        "With the right headers",
    ),
    ErrorPage(
        errors.RateLimitExceeded,
        "With `Retry-After`: you have used the calls of this minute, or too many of your calls are waiting. Without it, and with "
        "`X-Search-Quota-Remaining: 0`: you have used the searches of this day.",
        "Wait for the seconds in `Retry-After`. Without that header, stop searching until midnight UTC; bookings and reads "
        "still work.",
        "Yes, after `Retry-After`; without it, tomorrow",
        extras=("retryAfter",),
    ),
    ErrorPage(
        errors.InternalError,
        "Something failed on our side. Nothing is known about the outcome.",
        "Repeat the call a few times. If the error persists, {ask} and include the `requestId`.",
        WITH_BACKOFF,
    ),
    ErrorPage(
        errors.UpstreamError,
        "The supplier refused. It is certain that nothing was booked, and the hold was released before this answer.",
        "Repeat the call: it is a new attempt. If the error persists, offer the traveller something else.",
        WITH_BACKOFF,
    ),
    ErrorPage(
        errors.UpstreamUnavailable,
        "The supplier or a part of our service did not answer. The outcome of a booking may be unknown: the amount stays held, "
        "and we query the supplier until it is certain.",
        "Repeat the call with the **same** Idempotency-Key and body. It continues what the first call started and never books "
        "twice.",
        AFTER_WAITING,
    ),
)

BY_TYPE = {page.type: page for page in PAGES}
UNTYPED = (
    ("none", "no answer, or none in time"),
    ("408, 5xx", "a body without `error.type`, for example a proxy's page"),
)
"""What a client can get instead of our errors, by status."""


def table() -> str:
    """What to do with every answer that is not a success, as a Markdown table. Types that are treated alike share a row."""
    rows = [f"| {status} | {what} | {WITH_BACKOFF} | same |" for status, what in UNTYPED]
    for (status, retry, key), pages in groupby(PAGES, lambda page: (page.status, page.retry, page.key)):
        types = ", ".join(f"[`{page.type}`]({ADDRESS}{page.type})" for page in pages)
        rows.append(f"| {status} | {types} | {retry} | {key} |")
    return "\n".join(["| Status | Type | Send it again? | Key |", "|---|---|---|---|", *rows])
