"""The nouns of tenancy, listed here so that Django finds them."""

from tenants.models.api_key import ApiKey
from tenants.models.chain_head import ChainHead
from tenants.models.engine_credential import EngineCredential
from tenants.models.event import Event
from tenants.models.job import Job
from tenants.models.key_template import KeyTemplate
from tenants.models.membership import Membership
from tenants.models.offboarding import Offboarding
from tenants.models.policy_version import PolicyVersion
from tenants.models.subject import Subject
from tenants.models.tenant import Tenant

__all__ = [
    "ApiKey",
    "ChainHead",
    "EngineCredential",
    "Event",
    "Job",
    "KeyTemplate",
    "Membership",
    "Offboarding",
    "PolicyVersion",
    "Subject",
    "Tenant",
]
