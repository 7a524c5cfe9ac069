"""The tokens that learning may still spend, by the servers' own figures (`tokens_per_day`, `tokens_per_user`)."""

from collections import Counter

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.reports import Spent
from sandbox.extensions.memory.store import maintenance
from sandbox.extensions.memory.store.sqlite.database import Store

SPENT = "the token budget is spent"
"""Why learning or a step stops; for people."""

_PER_RUN, _SHARE = 200_000, 0.4  # tokens of one run, or a share of the day's: an import leaves some for the day


class Budget:
    """The rest of this run, of this day (UTC) for all users together, and of each user's day. The cost of a question is
    known after its answer, so the last question may exceed the budget.
    """

    def __init__(self, per_run: int, per_day: int, per_user: int | None) -> None:
        self._spent: Counter[str] = Counter()
        self._left_of_run = per_run
        self._per_day, self._per_user = per_day, per_user

    @classmethod
    async def open(cls, store: Store, config: Config, now: int) -> "Budget":
        """The budget of a run that begins at ``now`` (milliseconds)."""
        per_run = max(_PER_RUN, int(_SHARE * config.tokens_per_day))
        budget = cls(per_run, config.tokens_per_day, config.tokens_per_user)
        await budget.update(store, now)
        return budget

    async def update(self, store: Store, now: int) -> None:
        """Count what was spent today until ``now``, by other runs too."""
        self._spent = Counter(await store.read(lambda connection: maintenance.spent_on(connection, now // DAY)))

    @property
    def left(self) -> int:
        """Tokens that are left."""
        return max(0, min(self._left_of_run, self._per_day - self._spent.total()))

    def allows(self, user_id: str) -> bool:
        """Whether one more question may be asked for a user."""
        is_left = self._per_user is None or self._spent[user_id] < self._per_user
        return self.left > 0 and is_left

    def spend(self, spent: Spent, user_id: str) -> None:
        """Count the tokens of a question for a user."""
        self._spent[user_id] += spent.tokens
        self._left_of_run -= spent.tokens
