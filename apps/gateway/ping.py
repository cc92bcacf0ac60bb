"""GET /v1/ping: public; proves nothing but that the service answers."""

from typing import Any

from rest_framework import serializers

from apps.common import clock
from apps.gateway.call import Answer
from apps.gateway.public import PublicView
from apps.gateway.routes import RateClass, route


class PingAnswer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok"])
    time = serializers.DateTimeField()


class Ping(PublicView):
    @route("ping", "", RateClass.READ, PingAnswer)
    def get(self) -> Answer:
        """Ask whether the service answers.

        Needs no key and does not validate one.
        """
        return Answer({"status": "ok", "time": clock.rfc3339(clock.now())})
