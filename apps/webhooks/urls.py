from apps.gateway.routers import GatewayRouter
from apps.webhooks.views import WebhookDeliveryViewSet, WebhookEndpointViewSet

router = GatewayRouter()
router.register("endpoints", WebhookEndpointViewSet, "webhook-endpoint")
router.register("deliveries", WebhookDeliveryViewSet, "webhook-delivery")

urlpatterns = router.urls
