"""The query of a request (contract §1): a declared parameter is sent once at most, an undeclared one is ignored and named."""

from collections.abc import Iterable
from urllib.parse import quote

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest

from apps.common.errors import InvalidRequest
from apps.gateway.routes import QueryParameter

IGNORED = "X-Ignored-Parameters"
MOST_NAMED = 20
LONGEST_NAME = 64
"""In characters as the header has them. A longer name is left out."""


def refuse_repeated(request: HttpRequest, declared: Iterable[QueryParameter]) -> None:
    """Raises InvalidRequest for parameters that were sent twice, because it is not certain which value was meant."""
    if not request.META.get("QUERY_STRING"):
        return
    repeated = [parameter.name for parameter in declared if len(request.GET.getlist(parameter.name)) > 1]
    if repeated:
        raise InvalidRequest(details=[{"field": name, "message": "must be sent once"} for name in repeated])


def ignored_parameters(request: HttpRequest, declared: Iterable[QueryParameter]) -> list[str]:
    """The names of parameters that the operation does not know, each once, in the order sent."""
    if not request.META.get("QUERY_STRING"):
        return []
    try:
        sent = request.GET
    except SuspiciousOperation:  # more parameters than Django reads
        return []
    known = {parameter.name for parameter in declared}
    return [str(name) for name in sent if name and name not in known]


def named_in_header(names: Iterable[str]) -> str:
    """The first 20 of `names`, with commas. What is not a letter, a digit or one of `-._~[]` is percent-encoded, as in a URL."""
    written = (quote(name, safe="[]", errors="replace") for name in names)
    return ", ".join([name for name in written if len(name) <= LONGEST_NAME][:MOST_NAMED])
