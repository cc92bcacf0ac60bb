"""Replays: the stored answer of an earlier call is sent again (contract §2, "Idempotency")."""

import orjson

from apps.common.errors import InternalError
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.idempotency import StoredAnswer


def replay(call: Call, stored: StoredAnswer) -> Answer:
    """The stored status and body. In the body of an error, requestId is that of this call, as in its header.

    Raises InternalError where the record that holds the body is gone.
    """
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
    return Answer(body, stored.status, secret=stored.secret)
