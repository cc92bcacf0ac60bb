from django.urls import path

from apps.suppliers.webhooks import incoming

urlpatterns = [path("<str:supplier>/webhooks", incoming)]
