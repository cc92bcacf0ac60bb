from typing import Any

import factory
from allauth.mfa.models import Authenticator
from factory.django import DjangoModelFactory

from apps.accounts.models import Account, Membership, Role, Sandbox, User


class AccountFactory(DjangoModelFactory[Account]):
    class Meta:
        model = Account

    name = factory.Sequence(lambda n: f"Partner {n}")
    currency = "EUR"


class SandboxFactory(DjangoModelFactory[Sandbox]):
    """A test environment; its owner is the account itself, as of a partner's first one."""

    class Meta:
        model = Sandbox

    account = factory.SubFactory(AccountFactory)
    owner = factory.SelfAttribute("account")
    name = "Sandbox"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@partner.example")
    password = factory.django.Password("correct horse battery staple")

    @factory.post_generation
    def two_factor(self: Any, create: bool, extracted: bool | None, **kwargs: Any) -> None:
        """With an authenticator app where `two_factor=True`; staff unless it is False."""
        if create and (self.is_staff if extracted is None else extracted):
            Authenticator.objects.create(user=self, type=Authenticator.Type.TOTP, data={"secret": ""})


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    account = factory.SubFactory(AccountFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.OWNER
