"""A partner's portal, seen by one of our staff: read only, written down, marked on each page, for half an hour.

Whoever visits sees what a viewer of the account sees. Nothing is written: every method but reading is refused, and what reads
runs in a transaction that PostgreSQL keeps read-only.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest

from apps.accounts.actors import Actor, actor_of
from apps.accounts.models import Account, AuditAction, Look, Membership, Role, StaffLook, User
from apps.accounts.services.audit import record
from apps.accounts.services.look import as_kept, note_look
from apps.common import clock

RIGHT = "accounts.read_partner_portals"
LASTS = timedelta(minutes=30)
SESSION_KEY = "staff_visit"
NO_MEMBER = 0
"""The key of a membership that nobody has: what is chosen by each member for themselves is not there."""


@dataclass(frozen=True, slots=True)
class Visit:
    account: Account
    person: User
    began: datetime

    @property
    def until(self) -> datetime:
        return self.began + LASTS

    @property
    def membership(self) -> Membership:
        """What the pages get as the visitor's membership: it is not saved, and its role may change nothing."""
        stands_in = Membership(pk=NO_MEMBER, account=self.account, user=self.person, role=Role.VIEWER)
        stands_in.two_factor = True  # type: ignore[attr-defined]  # as the back office demands
        return stands_in


def begin(request: HttpRequest, person: User, account: Account, *, reason: str, address: str) -> None:
    """For a person with RIGHT. The partner's members read in their audit trail that support looked, and why."""
    staff: Actor = actor_of(person)
    record(account=account, action=AuditAction.READ_BY_SUPPORT, actor=staff, details={"reason": reason})
    note_look(person=person, look=Look.OPENED, account=account, reason=reason, address=address)
    request.session[SESSION_KEY] = {"account": account.pk, "began": clock.now().isoformat()}


def end(request: HttpRequest) -> str | None:
    """Ends the visit; the id of the account that was visited, None where none was."""
    kept = request.session.pop(SESSION_KEY, None)
    return kept["account"] if kept else None


def visit_of(request: HttpRequest) -> Visit | None:
    """The visit of whoever sends the request; None once it is over, or its right was taken away. One query while it lasts."""
    kept, person = request.session.get(SESSION_KEY), request.user
    if not kept or not isinstance(person, User) or not person.is_staff or not person.has_perm(RIGHT):
        return None
    began = datetime.fromisoformat(kept["began"])
    if clock.now() >= began + LASTS:
        return None
    return Visit(Account.objects.get(pk=kept["account"]), person, began)


def note_page(visit: Visit, path: str, *, refused: bool, address: str) -> None:
    """Each page once a visit, however often it brings itself up to date; each refusal."""
    look = Look.REFUSED if refused else Look.READ
    earlier = StaffLook.objects.filter(
        person=visit.person, created_at__gte=visit.began, account=visit.account, look=look, what=as_kept(path)
    )
    if refused or not earlier.exists():
        note_look(person=visit.person, look=look, what=path, account=visit.account, address=address)
