"""The partner account, the people who may sign in to the portal for it, and the audit trail of what they did."""

from apps.accounts.models.account import (
    LIVE_APPROVAL_PERIOD,
    Account,
    AccountStatus,
    live_approval_state,
    new_account_id,
)
from apps.accounts.models.audit import AccountAuditEntry, AuditAction, new_audit_id
from apps.accounts.models.branding import Branding
from apps.accounts.models.invitation import Invitation, invitation_period, new_invitation_id, period_in_words
from apps.accounts.models.people import Membership, Role, User, UserManager
from apps.accounts.models.sandbox import FIRST_NAME, MAX_SANDBOXES, Sandbox
from apps.accounts.models.staff import Look, StaffLook, StaffMailChoice, StaffMailKind, new_look_id

__all__ = [
    "FIRST_NAME",
    "LIVE_APPROVAL_PERIOD",
    "MAX_SANDBOXES",
    "Account",
    "AccountAuditEntry",
    "AccountStatus",
    "AuditAction",
    "Branding",
    "Invitation",
    "Look",
    "Membership",
    "Role",
    "Sandbox",
    "StaffLook",
    "StaffMailChoice",
    "StaffMailKind",
    "User",
    "UserManager",
    "invitation_period",
    "live_approval_state",
    "new_account_id",
    "new_audit_id",
    "new_invitation_id",
    "new_look_id",
    "period_in_words",
]
