"""The partner account, the people who may sign in to the portal for it, and the trail of what they did."""

from apps.accounts.models.account import (
    LIVE_APPROVAL_PERIOD,
    Account,
    AccountStatus,
    live_approval_state,
    new_account_id,
)
from apps.accounts.models.audit import AccountAuditEntry, AuditAction, new_audit_id
from apps.accounts.models.invitation import INVITATION_PERIOD, Invitation, new_invitation_id
from apps.accounts.models.people import Membership, Role, User, UserManager

__all__ = [
    "INVITATION_PERIOD",
    "LIVE_APPROVAL_PERIOD",
    "Account",
    "AccountAuditEntry",
    "AccountStatus",
    "AuditAction",
    "Invitation",
    "Membership",
    "Role",
    "User",
    "UserManager",
    "live_approval_state",
    "new_account_id",
    "new_audit_id",
    "new_invitation_id",
]
