"""People in the back office: switched off and not deleted, and told what was done to their sign-in."""

import pytest
from django.contrib.auth.models import Group

from apps.accounts.models import AccountAuditEntry, User
from apps.portal.audit_sentences import sentences_of
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "eleven violet tugboats"


def page_of(person: User, page: str = "change/") -> str:
    return f"/admin/accounts/user/{person.pk}/{page}"


def switch_off(desk: Desk, person: User):
    return desk.post(page_of(person), {"email": person.email})


def test_a_person_is_not_deleted():
    person, desk = MembershipFactory().user, Desk()
    assert desk.post(page_of(person, "delete/"), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [person.pk], "post": "yes"}
    desk.post("/admin/accounts/user/", chosen)
    assert "deletelink" not in desk.get(page_of(person)).content.decode()
    assert User.objects.filter(pk=person.pk).exists()


def test_the_last_owner_who_can_sign_in_is_not_switched_off():
    owner, desk = MembershipFactory(account__name="Aurora Travel"), Desk()
    MembershipFactory(account=owner.account, user__is_active=False)
    MembershipFactory(account=owner.account, role="developer")

    answer = switch_off(desk, owner.user)

    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors == {
        "is_active": ["Aurora Travel has no other owner. Invite another owner there first."]
    }
    assert User.objects.get(pk=owner.user.pk).is_active

    MembershipFactory(account=owner.account)
    assert switch_off(desk, owner.user).status_code == 302
    assert not User.objects.get(pk=owner.user.pk).is_active


def test_who_is_off_already_is_changed_in_other_ways():
    person = MembershipFactory(user__is_active=False).user
    assert Desk().post(page_of(person), {"email": person.email, "first_name": "Ada"}).status_code == 302
    assert User.objects.get(pk=person.pk).first_name == "Ada"


def test_each_account_of_a_person_is_told_of_the_switch_once():
    member, desk = MembershipFactory(user__email="ada@partner.example", role="developer"), Desk()
    elsewhere = MembershipFactory(user=member.user, role="viewer").account
    stranger = MembershipFactory().account

    switch_off(desk, member.user)
    switch_off(desk, member.user)  # is off already
    desk.post(page_of(member.user), {"email": member.user.email, "is_active": "on"})

    for account in (member.account, elsewhere):
        lines = sentences_of(AccountAuditEntry.objects.filter(account=account).order_by("id"))
        assert [(line.who, line.verb, line.ending) for line in lines] == [
            ("Support", "disabled the login", " of ada@partner.example"),
            ("Support", "enabled the login again", " of ada@partner.example"),
        ]
    assert not AccountAuditEntry.objects.filter(account=stranger).exists()


def test_another_address_is_told_to_both_and_in_the_trail(mailoutbox, django_capture_on_commit_callbacks):
    member = MembershipFactory(user__email="ada@partner.example")
    with django_capture_on_commit_callbacks(execute=True):
        Desk().post(page_of(member.user), {"email": "ada@new.example", "is_active": "on"})

    [line] = sentences_of(AccountAuditEntry.objects.filter(account=member.account))
    assert (line.who, line.verb) == ("Support", "changed the address")
    assert line.ending == " of ada@partner.example to ada@new.example"
    assert [message.to for message in mailoutbox] == [["ada@partner.example"], ["ada@new.example"]]
    assert "from ada@partner.example to ada@new.example" in mailoutbox[0].body


def test_mails_of_what_staff_changed_name_the_address_to_write_to(
    mailoutbox, django_capture_on_commit_callbacks, settings
):
    settings.SUPPORT_EMAIL = "help@example.com"
    member, desk = MembershipFactory(), Desk()
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(page_of(member.user), {"email": "ada@new.example", "is_active": "on"})
        desk.post(page_of(member.user, "password/"), {"usable_password": "false", "unset-password": "yes"})

    assert len(mailoutbox) == 3
    for message in mailoutbox:
        assert "contact us at help@example.com at once" in message.body


def test_an_address_belongs_to_one_person_however_it_is_capitalised():
    UserFactory(email="ada@partner.example")
    other, desk = UserFactory(email="eve@partner.example"), Desk()
    taken = {"email": ["User with this Email already exists."]}

    changed = desk.post(page_of(other), {"email": "Ada@Partner.example", "is_active": "on"})
    form = {"email": "ADA@partner.example", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    added = desk.post("/admin/accounts/user/add/", form)

    assert [answer.context["adminform"].form.errors for answer in (changed, added)] == [taken, taken]
    renamed = desk.post(page_of(other), {"email": "Eve@partner.example", "is_active": "on"})
    assert (renamed.status_code, User.objects.get(pk=other.pk).email) == (302, "Eve@partner.example")


@pytest.mark.parametrize(
    "form",
    [
        {"usable_password": "true", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
        {"usable_password": "false", "unset-password": "yes"},
    ],
)
def test_a_password_that_staff_changed_is_told(mailoutbox, django_capture_on_commit_callbacks, form):
    member = MembershipFactory(user__email="ada@partner.example")
    elsewhere = MembershipFactory(user=member.user).account
    before = member.user.password

    with django_capture_on_commit_callbacks(execute=True):
        assert Desk().post(page_of(member.user, "password/"), form).status_code == 302

    assert User.objects.get(pk=member.user.pk).password != before
    assert [(message.subject, message.to) for message in mailoutbox] == [
        ("Your password was changed", ["ada@partner.example"])
    ]
    for account in (member.account, elsewhere):
        [line] = sentences_of(AccountAuditEntry.objects.filter(account=account))
        assert (line.who, line.verb, line.ending) == (
            "Support",
            "changed the password",
            " of ada@partner.example",
        )


def test_a_password_that_was_refused_is_not_told(mailoutbox, django_capture_on_commit_callbacks):
    member, desk = MembershipFactory(), Desk()
    with django_capture_on_commit_callbacks(execute=True):
        assert desk.get(page_of(member.user, "password/")).status_code == 200
        for form in ({"password1": "short", "password2": "short"}, {"usable_password": "false"}):
            desk.post(page_of(member.user, "password/"), {"usable_password": "true", **form})
    assert (mailoutbox, AccountAuditEntry.objects.count()) == ([], 0)


@pytest.mark.parametrize("person", ["0", "x", "9" * 30])
def test_the_password_of_nobody_is_not_found(person):
    assert Desk().post(f"/admin/accounts/user/{person}/password/", {}).status_code == 404


def test_who_may_change_people_makes_nobody_staff_and_takes_over_none():
    desk, member = Desk("accounts.change_user"), MembershipFactory().user
    colleague = UserFactory(is_staff=True, is_superuser=True)
    rights = {"is_active": "on", "is_staff": "on", "is_superuser": "on"}
    password = {"usable_password": "true", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}

    helped = desk.post(page_of(member), {"email": member.email, "first_name": "Ada", **rights})
    refused = [
        desk.post(page_of(person, page), {"email": "eve@partner.example", **rights, **password}).status_code
        for person in (desk.user, colleague)
        for page in ("change/", "password/")
    ]

    assert (helped.status_code, refused) == (302, [403] * 4)
    member.refresh_from_db()
    assert (member.first_name, member.is_staff, member.is_superuser) == ("Ada", False, False)
    assert not User.objects.get(pk=desk.user.pk).is_superuser
    assert not User.objects.filter(email="eve@partner.example").exists()


def test_looking_at_people_changes_no_password():
    member, desk = MembershipFactory(), Desk("accounts.view_user")
    form = {"usable_password": "true", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert desk.post(page_of(member.user, "password/"), form).status_code == 403
    assert not User.objects.get(pk=member.user.pk).check_password(NEW_PASSWORD)


def test_staff_who_belong_to_no_account_are_told_by_mail_alone(
    mailoutbox, django_capture_on_commit_callbacks
):
    colleague = UserFactory(is_staff=True)
    form = {"usable_password": "true", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    with django_capture_on_commit_callbacks(execute=True):
        Desk().post(page_of(colleague, "password/"), form)
    assert [message.to for message in mailoutbox] == [[colleague.email]]
    assert not AccountAuditEntry.objects.exists()


def test_whoever_only_looks_sees_nothing_of_a_password() -> None:
    person = UserFactory()
    page = f"/admin/accounts/user/{person.pk}/change/"
    assert "algorithm" in Desk().get(page).content.decode()
    seen = Desk("accounts.view_user").get(page).content.decode()
    assert (person.email in seen, "algorithm" in seen, "salt" in seen) == (True, False, False)
    assert person.password.split("$")[-1][:6] not in seen


def test_nobody_gives_a_group_they_are_in_another_right() -> None:
    group = Group.objects.create(name="Support")
    rights = ("auth.view_group", "auth.add_group", "auth.change_group", "auth.delete_group")
    desk, page = Desk(*rights), f"/admin/auth/group/{group.pk}/"
    assert desk.get(f"{page}change/").status_code == 200
    assert desk.post(f"{page}change/", {"name": "Support", "permissions": [1]}).status_code == 403
    assert desk.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    assert desk.get("/admin/auth/group/add/").status_code == 403
    assert Desk().post(f"{page}change/", {"name": "Help"}).status_code == 302
    assert Group.objects.get().name == "Help"


def test_a_group_is_not_seen_without_the_right_to() -> None:
    assert Desk("accounts.view_user").get("/admin/auth/group/").status_code == 403
