from apps.gateway.viewsets import GatewayRouter
from apps.webhooks.views import EventViewSet, WebhookDeliveryViewSet, WebhookEndpointViewSet

router = GatewayRouter()
router.register("webhooks/endpoints", WebhookEndpointViewSet, "webhook-endpoint")
router.register("webhooks/deliveries", WebhookDeliveryViewSet, "webhook-delivery")
router.register("events", EventViewSet, "event")

urlpatterns = router.urls
