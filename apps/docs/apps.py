from django.apps import AppConfig


class DocsConfig(AppConfig):
    name = "apps.docs"

    def ready(self) -> None:
        from apps.docs.search import titled
        from apps.portal.find import words

        words.documentation = lambda text: [(page.title, page.path, page.group) for page in titled(text)]
