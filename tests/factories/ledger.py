from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.common.environments import Environment
from apps.common.ids import new_id
from apps.ledger.models import Wallet
from apps.ledger.money import top_up
from tests.factories.accounts import AccountFactory


class WalletFactory(DjangoModelFactory[Wallet]):
    """`WalletFactory(cents=10_000)` has been topped up by that much, with the books to show for it."""

    class Meta:
        model = Wallet
        skip_postgeneration_save = True

    account = factory.SubFactory(AccountFactory)
    environment = Environment.TEST
    currency = factory.SelfAttribute("account.currency")

    @factory.post_generation
    def cents(self: Any, create: bool, extracted: int | None, **kwargs: Any) -> None:
        if create and extracted:
            top_up(
                account_id=self.account_id,
                environment=self.environment,
                amount_cents=extracted,
                currency=self.currency,
                reference=new_id("bank"),
            )
            self.refresh_from_db()
