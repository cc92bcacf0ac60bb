"""Reads of places. A hotel is seen in its own environment alone."""

from django.db.models import Q

from apps.common.ids import is_well_formed
from apps.common.sql import all_rows
from apps.places.models import Place
from apps.places.queries import Sought, nearest_statement, statement_for
from apps.places.ranking import Candidate, best, by_distance


def find_places(sought: Sought) -> list[Candidate]:
    """The places that are meant, the likeliest first; without a query the nearest. One statement."""
    statement = statement_for(sought) if sought.query else nearest_statement(sought)
    found = [Candidate(*row) for row in all_rows(str(statement), statement.parameters)]
    return best(found, sought) if sought.query else by_distance(found, sought)


def place_of(environment: str, place_id: str) -> Place | None:
    if not is_well_formed(place_id):
        return None
    seen = Q(environment=None) | Q(environment=environment)
    return Place.objects.filter(seen, pk=place_id).defer("keys", "names").first()
