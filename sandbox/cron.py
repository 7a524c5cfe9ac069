"""The moments at which a cron fires, also when the clocks change. The only importer of APScheduler's triggers."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_MINUTE = timedelta(minutes=1)  # what a cron can tell apart


class Cron:
    """When a cron of five fields fires in a time zone, None for this machine's. Raises ``ValueError``.

    It goes by the clock on the wall, each of whose times comes once: what is shown twice in autumn counts where it is
    shown first, what is skipped in spring is the moment the clocks jump to. Days of the month and of the week must both
    fit.
    """

    def __init__(self, cron: str, zone: ZoneInfo | None = None) -> None:
        from apscheduler.triggers.cron import CronTrigger

        if re.search(r"(?<!/)\d", "".join(cron.split()[4:])):  # crontab counts from Sunday, APScheduler from Monday
            raise ValueError("days of the week must be named: sun, mon, tue, wed, thu, fri, sat")
        # In UTC, as a calendar without jumps: in a zone of its own CronTrigger fires at 02:30 twice on the night the
        # clocks go back, and loses the whole of the next day's 00:00 after they went forward.
        self._trigger = CronTrigger.from_crontab(cron, timezone=UTC)
        self._zone = zone

    def after(self, moment: datetime) -> datetime | None:
        """The first fire time after the moment, in UTC; None where there never is one."""
        wall = self._wall(moment)
        while (wall := self._trigger.get_next_fire_time(wall, wall)) is not None:
            if (fires_at := self._moment(wall)) > moment:
                return fires_at
        return None

    def _wall(self, moment: datetime) -> datetime:
        """What the clock on the wall shows, as if it were UTC."""
        return moment.astimezone(self._zone).replace(tzinfo=UTC, fold=0)

    def _moment(self, wall: datetime) -> datetime:
        """When the clock on the wall shows that first, or has jumped over it; in UTC."""
        while self._wall(moment := wall.replace(tzinfo=self._zone).astimezone(UTC)) != wall:
            wall += _MINUTE
        return moment
