"""Django and DRF as their manuals set them up. Our own settings say where the servers are."""

from config import settings as ours

SECRET_KEY = ours.SECRET_KEY
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "tests.bench.peer.views"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ, TIME_ZONE = True, "UTC"
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "rest_framework",
    "rest_framework.authtoken",
    "tests.bench.peer",
]
MIGRATION_MODULES = dict.fromkeys(("auth", "contenttypes", "authtoken"))  # tables, without their history
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
]
_options = ours.DATABASES["default"]["OPTIONS"].items()
_place = {name: value for name, value in _options if name in ("host", "port")}
DATABASES = {"default": {**ours.DATABASES["default"], "OPTIONS": _place, "ATOMIC_REQUESTS": True}}
_redis = "django.core.cache.backends.redis.RedisCache"
CACHES = {"default": {"BACKEND": _redis, "LOCATION": ours.REDIS_URL, "KEY_PREFIX": "peer"}}
_unreached = "1000000/min"
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["tests.bench.peer.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.ScopedRateThrottle"],
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(("read", "search", "booking"), _unreached),
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": True,
    "handlers": {"faults": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "root": {"handlers": ["faults"]},
}
