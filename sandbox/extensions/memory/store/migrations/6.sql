-- What the user told on purpose does not fade (adr/0044), but for what was told before its day.
UPDATE nodes SET decay_rate = 0, fades_at = NULL
WHERE type <> 'episodic' AND source IN ('explicit', 'corrected') AND trust IN ('user', 'confirmed') AND decay_rate > 0
  AND retired_seq IS NULL AND NOT (category = 'event' AND event_time > created_at);
