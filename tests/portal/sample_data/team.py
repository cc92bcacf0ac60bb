from datetime import timedelta

from apps.accounts.actors import actor_of
from apps.accounts.invitations import invite
from apps.accounts.live_approval import request_live_approval
from apps.accounts.members import change_role
from apps.accounts.models import Account, Role, User
from apps.common import clock
from tests.factories.accounts import MembershipFactory, UserFactory


def add(account: Account, owner: User) -> dict[str, str]:
    """A member who signed in, one who never did, an open invitation and an expired one, all in the audit trail."""
    actor = actor_of(owner, "198.51.100.7")
    ada = UserFactory(first_name="Ada Lovelace", two_factor=True, last_login=clock.now() - timedelta(hours=5))
    colleague = MembershipFactory(account=account, role=Role.VIEWER, user=ada)
    change_role(membership=colleague, role=Role.DEVELOPER, actor=actor)
    MembershipFactory(account=account, role=Role.FINANCE)
    waiting = invite(account=account, email="grace.hopper@partner.example", role=Role.VIEWER, actor=actor)
    over = invite(account=account, email="charles@partner.example", role=Role.FINANCE, actor=actor)
    over.expires_at = clock.now() - timedelta(days=1)
    over.save()
    request_live_approval(account=account, actor=actor)
    return {"member": str(colleague.pk), "invitation": waiting.pk}
