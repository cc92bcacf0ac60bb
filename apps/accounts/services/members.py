"""The people who may sign in to the portal for an account."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from apps.accounts.models import Account, Membership, Role, User
from apps.gateway.errors import InvalidRequest


@transaction.atomic
def add_member(*, account: Account, email: str, role: str, password: str | None = None) -> Membership:
    """Let `email` sign in for `account`; who is a member already gets the new role.

    `password` is set only on a user this creates: nobody is taken over by being added.
    Raises InvalidRequest for a malformed address or an unknown role.
    """
    if role not in Role.values:
        raise InvalidRequest.field("role", f"{role!r} is not one of {', '.join(Role.values)}.")
    try:
        validate_email(email)
    except ValidationError:
        raise InvalidRequest.field("email", f"{email!r} is not an e-mail address.") from None
    user = User.objects.filter(email__iexact=email).first() or User.objects.create_user(email, password)
    membership, _ = Membership.objects.update_or_create(account=account, user=user, defaults={"role": role})
    return membership
