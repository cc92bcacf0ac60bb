from django.urls import path

from apps.suppliers.webhooks.views import incoming

urlpatterns = [path("<str:supplier>/webhooks", incoming)]
