"""The scope of a request: user, project, session."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_web.shapes import NAME


@dataclass(frozen=True, slots=True)
class Scopes:
    """``user`` and ``project`` of a request, or those with which the server was started."""

    user: str = "default"
    project: str | None = None

    def __call__(
        self,
        user: Annotated[
            str | None, Query(pattern=NAME, description="Whose memory, where several people share it.")
        ] = None,
        project: Annotated[
            str | None, Query(pattern=NAME, description="What is stored belongs to it, and is found in it only.")
        ] = None,
    ) -> Scope:
        """The scope of a request."""
        whose, within = user or self.user, project or self.project
        return Scope(whose, within, visibility="project") if within else Scope(whose)
