"""Errors of the kernel. Each message says what was wrong and what to do."""

from sandbox.support.errors import DocumentedError


class SandboxError(DocumentedError):
    """The kernel could not do this."""


def described(error: BaseException) -> str:
    """A line about an error, without content: its message if it is one of ours, otherwise its kind."""
    return str(error) if isinstance(error, SandboxError) else type(error).__name__


# --- extensions -------------------------------------------------------------------------------------------------------


class InvalidManifest(SandboxError, ValueError):
    """{file}: `{key}` {problem}."""


class UnreadableManifest(InvalidManifest):
    """{file} cannot be read: {problem}."""


class InvalidSettings(SandboxError, ValueError):
    """{file}: `{key}` {problem}."""


class UnreadableSettings(SandboxError):
    """{file} cannot be read: {problem}. It holds settings, a section for each extension; mend it, or move it away."""


class DuplicateExtension(SandboxError):
    """Two extensions have the id {id!r}: {first} and {second}; remove one, or change its `id`."""


class MissingDependency(SandboxError):
    """The extension {id!r} depends on {missing!r}, which is not installed; known are: {known}."""


class DependencyCycle(SandboxError):
    """Extensions depend on each other in a circle: {cycle}; remove one of them from a `depends_on`."""


class BrokenExtension(SandboxError):
    """The extension {id!r} cannot be loaded: {problem}."""


class RequiredExtensionFailed(SandboxError):
    """The extension {id!r} is required and did not start: {problem}."""


class SubscriptionRefused(SandboxError, ValueError):
    """{handler!r} cannot subscribe to {topic!r}: {problem}; subscribe once, while the extension starts."""


# --- state ------------------------------------------------------------------------------------------------------------


class StateUnusable(SandboxError):
    """{path} cannot be used ({problem}); {advice}."""


class StateTooNew(SandboxError):
    """{path} has schema version {found}, this program knows up to {known}; it was left untouched. Upgrade
    assistant-memory to use it.
    """


class StateFull(SandboxError):
    """The disk that holds {path} is full; what was acknowledged is safe, this was not kept. Free some space and try
    again.
    """


class OpenedElsewhere(SandboxError):
    """{path} was opened in another {place} and can be used only there; open it here as well."""


class KernelClosed(SandboxError):
    """The kernel is closed; open it again."""


# --- turns ------------------------------------------------------------------------------------------------------------


class InvalidMessage(SandboxError, ValueError):
    """The message was not taken: it {problem}."""


class SecretInId(SandboxError, ValueError):
    """The {what} cannot be used: it appears to contain a secret ({kinds}). Ids are stored as they are; use another."""


class ToolRefused(SandboxError):
    """{problem} {advice}"""


class ModelFailed(SandboxError):
    """{model} at {place} {problem}."""
