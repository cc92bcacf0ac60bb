"""The handler of eSIM bookings: an order of a new eSIM, or a top-up of one. Both begin, are looked up and end in one flow."""

from apps.bookings.handlers import Outcome, Prepared
from apps.bookings.models import Operation, OperationKind
from apps.esim.services.handlers import EsimHandler
from apps.esim.services.order import OrderEsim
from apps.esim.services.top_up import TopUpEsim
from apps.esim.suppliers.base import EsimOrder


class BookEsim(EsimHandler):
    """Hands each operation to the handler of what it buys. A top-up's names the profile that it is added to."""

    kind = OperationKind.BOOK
    order, top_up = OrderEsim(), TopUpEsim()

    def buyer(self, operation: Operation) -> OrderEsim | TopUpEsim:
        return self.top_up if "iccid" in operation.request else self.order

    def prepare(self, operation: Operation) -> Prepared:
        return self.buyer(operation).prepare(operation)

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        return self.buyer(operation).call(operation, fault)

    def find(self, operation: Operation) -> EsimOrder | None:
        return self.buyer(operation).find(operation)

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        return self.buyer(operation).outcome(operation, result)
