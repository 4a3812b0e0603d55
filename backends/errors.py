"""What a service outside the process can answer instead of a result.

Every backend raises these three and no others; retry lives once, in memories.services.sync.
"""


class BackendError(Exception):
    """A service outside the process did not do what was asked."""


class Unavailable(BackendError):
    """The service did not answer, or asked to wait: try again later."""


class Rejected(BackendError):
    """The service understood and said no: the request is wrong, and a retry would be too."""


class Refused(BackendError):
    """The credential has no right to what was asked, has expired, or was revoked."""
