import pytest
from apps.webhooks.models import Delivery
from tests.webhooks.conftest import due_deliveries
pytestmark = pytest.mark.django_db(transaction=True)

def test_smoke(endpoint, receiver, deliver):
    due_deliveries(endpoint, 60)
    assert deliver() == 60
    assert Delivery.objects.filter(status="DELIVERED").count() == 60
    assert len(receiver.requests) == 60
    print(receiver.connections, receiver.most_in_flight)
