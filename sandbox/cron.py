"""The moments at which a cron fires, also when clocks change. The only module that imports APScheduler's triggers."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_MINUTE = timedelta(minutes=1)  # the resolution of a cron


class Cron:
    """The times of a cron with five fields in a time zone; None is this machine's. Raises ``ValueError``.

    It follows local time, and each local time counts once: one that occurs twice in autumn counts the first time; one
    that is skipped in spring fires when the clocks jump over it. Day of the month and day of the week must both fit.
    """

    def __init__(self, cron: str, zone: ZoneInfo | None = None) -> None:
        from apscheduler.triggers.cron import CronTrigger

        if re.search(r"(?<!/)\d", "".join(cron.split()[4:])):  # crontab counts from Sunday, APScheduler from Monday
            raise ValueError("days of the week must be named: sun, mon, tue, wed, thu, fri, sat")
        # The trigger runs in UTC, which has no clock changes: in a local zone it fires at 02:30 twice on the night when
        # clocks go back, and skips 00:00 of the day after they went forward.
        self._trigger = CronTrigger.from_crontab(cron, timezone=UTC)
        self._zone = zone

    def after(self, moment: datetime) -> datetime | None:
        """The first time after the moment, in UTC; None if there is none."""
        wall = self._wall(moment)
        while (wall := self._trigger.get_next_fire_time(wall, wall)) is not None:
            if (fires_at := self._moment(wall)) > moment:
                return fires_at
        return None

    def _wall(self, moment: datetime) -> datetime:
        """The local time, as if it were UTC."""
        return moment.astimezone(self._zone).replace(tzinfo=UTC, fold=0)

    def _moment(self, wall: datetime) -> datetime:
        """The moment, in UTC, when clocks first show a local time, or jump over it."""
        while self._wall(moment := wall.replace(tzinfo=self._zone).astimezone(UTC)) != wall:
            wall += _MINUTE
        return moment
