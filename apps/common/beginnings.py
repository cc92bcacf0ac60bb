"""Conditions for the rows whose text begins in some way, as ranges that an index answers whatever plan was chosen before.

A LIKE whose pattern is a parameter is answered by an index only while PostgreSQL plans for that very pattern.
"""

from typing import Any

from django.db.models import CharField, Lookup, Q

LAST_CHARACTER = "\U0010ffff"


@CharField.register_lookup
class Begins(Lookup):
    """`external_reference__begins="A-7"`: byte by byte, for an index with `varchar_pattern_ops`, in every collation."""

    lookup_name = "begins"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        left, parameters = self.process_lhs(compiler, connection)
        end = f"{self.rhs}{LAST_CHARACTER}"
        return f"({left} ~>=~ %s AND {left} ~<~ %s)", (*parameters, str(self.rhs), *parameters, end)


def id_begins(field: str, text: str) -> Q:
    """Ids of ours, which are lower-case letters and digits behind a prefix: a range in every collation."""
    begins = text.lower()
    return Q(**{f"{field}__gte": begins, f"{field}__lte": begins.ljust(64, "z")})


def reference_begins(field: str, text: str) -> Q:
    """References of bookings, which are capitals and digits behind a letter: a range in every collation."""
    begins = text.upper()
    return Q(**{f"{field}__gte": begins, f"{field}__lte": begins.ljust(32, "Z")})
