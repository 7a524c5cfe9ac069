"""The scope of a request: user, project, session."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
        all_projects: Annotated[
            bool, Query(description="Whether to find also what is known only in projects.")
        ] = False,
    ) -> Scope:
        """The scope of a request."""
        return replace(self._scope(user, project), all_projects=all_projects)

    def of(self, parameters: Mapping[str, str]) -> Scope:
        """The same where the request may be wrong; a user who cannot be is nobody's, and the server's own is meant."""
        user = parameters.get("user", "")
        return self._scope(user if re.fullmatch(NAME, user) else None, None)

    def _scope(self, user: str | None, project: str | None) -> Scope:
        whose, within = user or self.user, project or self.project
        return Scope(whose, within, visibility="project") if within else Scope(whose)
