"""The query of a request (contract §1): a declared parameter is sent once at most, an undeclared one is ignored."""

from collections.abc import Iterable

from django.http import HttpRequest

from apps.common.errors import InvalidRequest
from apps.gateway.routes import QueryParameter


def refuse_repeated(request: HttpRequest, declared: Iterable[QueryParameter]) -> None:
    """Raises InvalidRequest for parameters that were sent twice, because it is not certain which value was meant."""
    if not request.META.get("QUERY_STRING"):
        return
    repeated = [parameter.name for parameter in declared if len(request.GET.getlist(parameter.name)) > 1]
    if repeated:
        raise InvalidRequest(details=[{"field": name, "message": "must be sent once"} for name in repeated])
