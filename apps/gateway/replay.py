"""An earlier call's answer, given again (contract §2, "Idempotency")."""

import orjson

from apps.gateway.call import Answer, Call
from apps.gateway.errors import InternalError
from apps.gateway.idempotency import StoredAnswer


def replay(call: Call, stored: StoredAnswer) -> Answer:
    """The same status and body; where the body is an error, its requestId follows the header it is sent with."""
    body = stored.body
    if body is None:
        read = call.route.stored_body
        text = read(stored.resource) if read is not None else None
        if text is None:
            raise InternalError
        body = text.encode()
    if stored.status >= 400:
        refusal = orjson.loads(body)
        refusal["error"]["requestId"] = call.request_id
        return Answer(refusal, stored.status)
    return Answer(body, stored.status)
