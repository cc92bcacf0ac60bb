"""The context of a portal page: who is signed in, for which account, in which role, and whether on live or in which sandbox."""

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse

from apps.accounts.models import Account, AccountStatus, Membership, Role, Sandbox, User
from apps.accounts.sandboxes import sandboxes_of
from apps.common.clock import NOT_MOVED, Place
from apps.common.environments import Environment
from apps.portal.sign_in.two_factor import with_authenticator

EVERYONE = frozenset(Role.values)
OWNERS = frozenset({Role.OWNER})
DEVELOPERS = frozenset({Role.OWNER, Role.DEVELOPER})
FINANCE = frozenset({Role.OWNER, Role.FINANCE})
APPROVERS = frozenset({Role.OWNER, Role.APPROVER})

ACCOUNT_SESSION_KEY = "portal_account"
FORM_ACCOUNT_FIELD = "shown_for"
"""A hidden field of every form: the account it was shown for. The person may have switched accounts in a second window."""
SANDBOX_SESSION_KEY = "portal_sandbox"
FORM_SANDBOX_FIELD = "shown_in"
"""A hidden field of every form: the name of the sandbox it was shown in. A reset leaves the name, and the forms, as they are."""
ENVIRONMENT_COOKIE = "portal_environment"
"""A cookie and not the session, because each change of environment would write the session."""


MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class PortalContext:
    """`environment` is that of the page. On a page of the whole account it is the one that was looked at last."""

    user: User
    account: Account
    membership: Membership
    memberships: tuple[Membership, ...]
    """All memberships of this person, for the account switcher."""
    environment: str
    two_factor: bool
    sandboxes: tuple[Sandbox, ...]
    """Those of the account, for the switcher; the first one first."""
    sandbox: Sandbox
    """The one that the test pages show."""

    @property
    def account_id(self) -> str:
        """Under which everything of this page's environment is stored."""
        return self.account.pk if self.is_live else self.sandbox.account_id

    @property
    def stored(self) -> tuple[str, str]:
        """The account row and the environment, as selectors take them."""
        return self.account_id, self.environment

    @property
    def stored_account(self) -> Account:
        """The row of `account_id`, for services that want it. One query unless it is the account itself."""
        return self.account if self.account_id == self.account.pk else self.sandbox.account

    @property
    def status(self) -> str:
        """The account's in this environment: a test environment may be read-only by itself."""
        active, stopped = AccountStatus.ACTIVE, None if self.is_live else self.sandbox.stopped_at
        return AccountStatus.READ_ONLY if self.account.status == active and stopped else self.account.status

    @property
    def role(self) -> str:
        return self.membership.role

    @property
    def place(self) -> Place:
        ahead = NOT_MOVED if self.is_live else self.sandbox.clock_offset
        return Place(self.account_id, self.environment, ahead)

    @property
    def is_live(self) -> bool:
        return self.environment == Environment.LIVE

    def has_role(self, roles: frozenset[str]) -> bool:
        return self.role in roles

    def who_has(self, roles: frozenset[str]) -> str:
        """Members with one of these roles, by email, the oldest first: `ada@…, bob@… and 3 more`. One query."""
        members = Membership.objects.filter(account=self.account, role__in=roles, user__is_active=True)
        emails = list(members.order_by("created_at", "id").values_list("user__email", flat=True))
        more = f" and {len(emails) - MOST_NAMED} more" if len(emails) > MOST_NAMED else ""
        return ", ".join(emails[:MOST_NAMED]) + more

    def reverse(self, name: str, **named: object) -> str:
        """The address of a portal page in this environment: `portal.reverse("booking", booking_id=…)`."""
        return reverse(f"portal:{name}", kwargs={"environment": self.environment, **named})


def memberships_of(user: User) -> list[Membership]:
    """The person's memberships, the oldest first, each with its account and `two_factor`. One query."""
    memberships = Membership.objects.filter(user=user).select_related("account")
    return list(memberships.annotate(two_factor=with_authenticator("user_id")).order_by("created_at", "id"))


def context_for(
    request: HttpRequest, user: User, memberships: list[Membership], environment: str | None
) -> PortalContext:
    """The account is the one the form was shown for, else the one chosen in the switcher, else that of the oldest membership.
    The sandbox is found in the same way; the account's first where none was chosen.

    `environment` is None on a page of the whole account. Raises Http404 when a form was shown for an account that the person is
    not a member of, or in a sandbox that was renamed or closed.
    """
    form_account, last_account = (
        request.POST.get(FORM_ACCOUNT_FIELD),
        request.session.get(ACCOUNT_SESSION_KEY),
    )
    chosen = form_account or last_account
    membership = next((each for each in memberships if each.account_id == chosen), memberships[0])
    if form_account and membership.account_id != form_account:
        raise Http404
    if form_account and form_account != last_account:
        request.session[ACCOUNT_SESSION_KEY] = form_account
    sandboxes = tuple(sandboxes_of(membership.account_id))
    return PortalContext(
        user=user,
        account=membership.account,
        membership=membership,
        memberships=tuple(memberships),
        environment=environment or last_environment(request),
        two_factor=membership.two_factor,  # type: ignore[attr-defined]
        sandboxes=sandboxes,
        sandbox=chosen_sandbox(request, sandboxes, environment),
    )


def chosen_sandbox(request: HttpRequest, sandboxes: tuple[Sandbox, ...], environment: str | None) -> Sandbox:
    """Raises Http404 when a form of a test page was shown in a sandbox that is not among them any more."""
    by_name = {sandbox.name: sandbox for sandbox in sandboxes}
    form_sandbox = request.POST.get(FORM_SANDBOX_FIELD)
    if form_sandbox is None or environment != Environment.TEST:
        return by_name.get(request.session.get(SANDBOX_SESSION_KEY, ""), sandboxes[0])
    if form_sandbox not in by_name:
        raise Http404
    return by_name[form_sandbox]


def last_environment(request: HttpRequest) -> str:
    """The environment of the page that this browser looked at last; test for a new browser."""
    last = request.COOKIES.get(ENVIRONMENT_COOKIE, "")
    return last if last in Environment.values else str(Environment.TEST)


def remember_environment(request: HttpRequest, response: HttpResponseBase, environment: str) -> None:
    if request.COOKIES.get(ENVIRONMENT_COOKIE) != environment:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(ENVIRONMENT_COOKIE, environment, httponly=True, samesite="Lax", secure=secure)
