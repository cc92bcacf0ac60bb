"""The allow-list of messages: what a refusal of /v1 says in words of the code alone, none of them a caller's or a supplier's.

A number, a status or an instant in between is ours. A sentence that the code starts to say is kept once it is here.
"""

import re

from apps.gateway import errors, sandbox

DEFAULTS = frozenset(error.default_message for error in errors.GatewayError.__subclasses__())

# Said before any view, and by the steps.
OF_THE_GATEWAY = frozenset(
    {
        "There is no such path. Paths end without a slash; /v1/openapi.json lists them all.",
        "Send the body with a Content-Length, not chunked.",
        "Send the body without Content-Encoding.",
        "Content-Length is not a number.",
        "The Host header names no address of this service.",
        "The request could not be read.",
        "The body could not be read to its end.",
        "An internal service did not answer; try again shortly.",
        f"Unknown sandbox trigger; there are: {', '.join(sandbox.TRIGGERS)}.",
    }
)

# Said by the operations.
OF_THE_OPERATIONS = frozenset(
    {
        "Another operation on this booking is under way.",
        "Cancelling costs more than maxPenaltyCents; nothing was cancelled.",
        "Our staff are clarifying this booking with the supplier.",
        "The fare of this order cannot be changed.",
        "The supplier no longer sells this plan; choose another one from the catalogue.",
        "There is no such delivery.",
        "There is no such event.",
        "There is no such plan.",
        "There is no such recovery.",
        "There is no such webhook endpoint.",
        "This change was already confirmed.",
        "This delivery is not finished; it will be tried without being asked.",
        "This endpoint is disabled; enable it first.",
        "This endpoint was deleted.",
        "This externalReference already belongs to a booking.",
        "This externalReference already belongs to an order of another plan.",
        "The airline has changed this order, which no longer has this slice there. We are reading it anew: "
        "read the order in a minute and choose among its slices.",
    }
)

STATUS = "pending|confirmed|ticketed|provisioned|cancelled|failed"
NOT_JSON = (
    r"a number is out of range|(?:NaN|-?Infinity) is not a JSON number|"
    r"(?:Expecting value|Expecting '[:,]' delimiter|Expecting property name enclosed in double quotes|Extra data|"
    r"Unterminated string starting at|Invalid control character at|Invalid \\(?:escape|uXXXX escape)(?:: )?)"
    r": line [0-9]{1,6} column [0-9]{1,6} \(char [0-9]{1,6}\)"
)
OF_A_BODY = (
    r"is not UTF-8|must be a JSON object|must not begin with a byte-order mark|names a property twice|"
    r"contains a NUL character|contains a lone surrogate|is nested deeper than [0-9]{1,4} levels|"
    rf"has more than [0-9]{{1,6}} names|is not JSON: (?:{NOT_JSON})"
)
WITH_A_BLANK = re.compile(
    r"The account is (?:read-only|suspended)\.|"
    rf"The booking is (?:{STATUS})\.|"
    rf"The order is (?:{STATUS})(?:, not ticketed\.|: it has no profile that could be used\.)|"
    rf"The (?:request )?body (?:{OF_A_BODY})\.|"
    r"More than [0-9]{1,9} requests in a minute; wait [0-9]{1,9} s\.|"
    r"The daily search quota of [0-9]{1,9} is used up; it starts anew at midnight UTC\.|"
    r"There are [0-9]{1,4} endpoints in this environment; delete one first\.|"
    r"This delivery was sent [0-9]{1,4} times; send another test instead\.|"
    r"The secret was rotated less than 24 hours ago; it is safe again after [0-9TZ:.-]{20,32}\."
)


def is_ours(message: str) -> bool:
    """Whether every word of the message is the code's."""
    return (
        message in DEFAULTS
        or message in OF_THE_GATEWAY
        or message in OF_THE_OPERATIONS
        or WITH_A_BLANK.fullmatch(message) is not None
    )
