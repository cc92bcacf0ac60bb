"""Saved views: the filters of a list under a name, private or shared, escaped, and no more than there may be."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from apps.accounts.models import Role
from apps.portal.models import SavedView
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of

pytestmark = pytest.mark.django_db
LIST, VIEWS = "/portal/test/requests/", "/portal/test/views/requests/"
FILTERS = "error_type=conflict&status=errors"


def links(answer) -> list[tuple[str, str]]:
    nav = re.search(r'aria-label="Saved views">(.*?)</nav>', answer.content.decode(), re.DOTALL)
    found = re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', nav[1]) if nav else []
    return [(unescape(address), re.sub("<.*", "", name)) for address, name in found]


def save(person: Person, name: str = "Conflicts", query: str = FILTERS, **more: str):
    return person.post(VIEWS, {"name": name, "query": query, **more}, follow=True)


def said(answer) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def test_a_view_is_saved_chosen_and_removed_with_plain_forms(portal: Person):
    assert links(portal.get(LIST)) == []
    assert "Save this view" not in portal.get(LIST).content.decode(), "Nothing is filtered"
    page = portal.get(f"{LIST}?status=errors&error_type=conflict&cursor=1-1").content.decode()
    [query] = re.findall(r'name="query" value="([^"]+)"', page)
    assert unescape(query) == FILTERS, "The cursor is no filter"
    answer = save(portal)
    assert (said(answer), answer.redirect_chain) == (["Saved as “Conflicts”."], [(f"{LIST}?{FILTERS}", 302)])
    assert links(answer) == [(f"{LIST}?{FILTERS}", "Conflicts")]
    assert 'aria-current="page">Conflicts' in answer.content.decode()
    assert answer.context["form"].value("error_type") == "conflict"
    [remove] = re.findall(r'action="([^"]+/remove/)"', answer.content.decode())
    answer = portal.post(remove, follow=True)
    assert (said(answer), links(answer)) == (["The view “Conflicts” is removed."], [])


def test_a_private_view_is_its_members_alone_and_a_shared_one_everybodys(
    portal: Person, portal_as: Callable[[str], Person]
):
    save(portal, "Mine")
    save(portal, "Ours", shared="on")
    viewer = portal_as(Role.VIEWER)
    assert [name for _, name in links(portal.get(LIST))] == ["Mine", "Ours"]
    assert [name for _, name in links(viewer.get(LIST))] == ["Ours"]
    assert links(viewer.get("/portal/live/requests/")) == []
    assert links(viewer.get("/portal/test/bookings/")) == []
    stranger = member_of(AccountFactory(), Role.OWNER)
    assert links(stranger.get(LIST)) == []
    mine, ours = SavedView.objects.order_by("name").values_list("pk", flat=True)
    for person, view in ((viewer, mine), (viewer, ours), (stranger, mine), (stranger, ours)):
        assert person.post(f"{VIEWS}{view}/remove/").status_code == 404
    assert save(viewer, "Own").status_code == 200
    assert viewer.post(VIEWS, {"name": "Own", "query": FILTERS, "shared": "on"}).status_code == 403
    assert SavedView.objects.count() == 3
    portal.membership.delete()
    assert sorted(SavedView.objects.values_list("name", flat=True)) == ["Ours", "Own"]


@pytest.mark.parametrize(
    ("form", "refusal"),
    [
        ({"name": "", "query": FILTERS}, "Give the view a name."),
        ({"name": "x" * 61, "query": FILTERS}, "at most 60 characters"),
        ({"name": "a\x00b", "query": FILTERS}, "Null characters are not allowed."),
        ({"name": "All", "query": ""}, "Nothing is filtered."),
        ({"name": "All", "query": "cursor=1-1&unknown=2&status=&error_type=%00"}, "Nothing is filtered."),
        ({"name": "Long", "query": f"request_id={'x' * 2_000}"}, "at most 2000 characters"),
        ({"name": "Long as it is kept", "query": f"request_id={'é' * 400}"}, "at most 2000 characters"),
        ({"name": "Taken", "query": FILTERS}, "There is a view of this name already."),
    ],
)
def test_what_cannot_be_saved_is_refused_in_words_and_nothing_is_kept(portal: Person, form, refusal):
    save(portal, "Taken")
    answer = portal.post(VIEWS, form, follow=True)
    assert refusal in " ".join(said(answer))
    assert SavedView.objects.count() == 1


def test_a_name_is_escaped(portal: Person):
    answer = save(portal, "<script>alert(1)</script>")
    page = answer.content.decode()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3
