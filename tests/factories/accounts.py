import factory
from factory.django import DjangoModelFactory

from apps.accounts.models import Account, Membership, Role, User


class AccountFactory(DjangoModelFactory[Account]):
    class Meta:
        model = Account

    name = factory.Sequence(lambda n: f"Partner {n}")
    currency = "EUR"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@partner.example")
    password = factory.django.Password("correct horse battery staple")


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    account = factory.SubFactory(AccountFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.OWNER
