"""GET /v1/ping: public. It proves that the service answers, and nothing else."""

from rest_framework import serializers

from apps.common import clock
from apps.gateway import outputs
from apps.gateway.answer import Answer
from apps.gateway.public import PublicViewSet
from apps.gateway.routes import RateClass, Route
from apps.gateway.serializers import AnswerBody


class PingAnswer(AnswerBody):
    """The service answers."""

    status = outputs.OneOf(["ok"], help_text="Always `ok`.")
    time = serializers.DateTimeField(help_text="The service's clock, RFC 3339, in UTC.")


class PingViewSet(PublicViewSet):
    @Route("ping", rate_class=RateClass.READ, answer=PingAnswer)
    def retrieve(self) -> Answer:
        """Ask whether the service answers.

        Needs no key and does not validate one.
        """
        return Answer({"status": "ok", "time": clock.rfc3339(clock.now())})
