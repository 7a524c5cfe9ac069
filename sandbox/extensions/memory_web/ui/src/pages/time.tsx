/** What was believed at any moment, and what changed on that day. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { get, post, useLoaded } from "../api";
import { changes } from "../live";
import { Button, Dialog, Empty, Loading, say, Tag, Title, Trouble } from "../parts/basics";
import { Marks, MemoryLink, undo } from "../parts/memories";
import { line, seen } from "../parts/text";
import { changed, go, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Day, Happened, MemoryList, Undone } from "../types";
import { called, clock, day as inWords, localDay, number, useWords, weekday } from "../words";

const FACTS = 100;
const EVENTS = 200;
const PAUSE = 150; // milliseconds the handle rests before a day is asked for
const MOST_BARS = 400;

export function TimePage() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const east = -new Date().getTimezoneOffset();
  const { data, error, again } = useLoaded((signal) => get<Day[]>("/days", { east }, signal), [mine, east], version);
  return (
    <>
      <Title about={w.time.about}>{w.time.title}</Title>
      {error && <Trouble error={error} again={again} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title={w.time.none} />}
      {data && data.length > 0 && <Days active={data} />}
    </>
  );
}

/** Every day from the first to today or the last, whatever happened on it. */
function filled(active: Day[]): Day[] {
  const known = new Map(active.map((each) => [each.day, each]));
  const today = localDay(new Date());
  const last = active.at(-1)!.day > today ? active.at(-1)!.day : today;
  const days: Day[] = [];
  const at = new Date(`${active[0]!.day}T12:00`);
  for (let name = localDay(at); name <= last && days.length < 40_000; name = localDay(at)) {
    days.push(known.get(name) ?? { day: name, said: 0, learnt: 0, retired: 0 });
    at.setDate(at.getDate() + 1);
  }
  return days;
}

function Days({ active }: { active: Day[] }) {
  const w = useWords();
  const route = useRoute();
  const days = useMemo(() => filled(active), [active]);
  const asked = days.findIndex((each) => each.day === route.query.get("day"));
  const fallback = days.findIndex((each) => each.day === active.at(-1)!.day);
  const place = asked >= 0 ? asked : fallback;
  const [handle, move] = useState(place);
  useEffect(() => move(place), [place]);
  useEffect(() => {
    if (handle === place) return undefined;
    const waiting = setTimeout(() => go(changed(route, { day: days[handle]!.day }), { replace: true }), PAUSE);
    return () => clearTimeout(waiting);
  }, [handle]);
  const step = (by: number) => move(Math.max(0, Math.min(days.length - 1, handle + by)));
  const shown = days[handle] ?? days[place]!;

  return (
    <>
      <section class="timeline" aria-label={w.time.days}>
        <Bars days={days} handle={handle} onPick={move} />
        <input
          type="range"
          min={0}
          max={days.length - 1}
          value={handle}
          aria-label={w.time.handle}
          aria-valuetext={weekday(`${shown.day}T12:00`)}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
        <div class="timeline-foot">
          <Button kind="quiet" icon="left" onClick={() => step(-1)}>
            {w.time.previous}
          </Button>
          <label class="day-field">
            <span class="visually-hidden">{w.time.handle}</span>
            <input
              type="date"
              value={shown.day}
              min={days[0]!.day}
              max={days.at(-1)!.day}
              onChange={(event) => {
                const found = days.findIndex((each) => each.day === event.currentTarget.value);
                if (found >= 0) move(found);
              }}
            />
          </label>
          <Button kind="quiet" icon="right" onClick={() => step(1)}>
            {w.time.next}
          </Button>
        </div>
        <p class="timeline-told" role="status">
          <b>{weekday(`${shown.day}T12:00`)}</b>{" "}
          <span class="legend for-said">
            {number(shown.said)} {w.time.said}
          </span>{" "}
          <span class="legend for-learnt">
            {number(shown.learnt)} {w.time.learnt}
          </span>{" "}
          <span class="legend for-retired">
            {number(shown.retired)} {w.time.retired}
          </span>
        </p>
      </section>
      <Then day={days[place]!.day} />
    </>
  );
}

/** Of many days several stand in one bar. */
function Bars({ days, handle, onPick }: { days: Day[]; handle: number; onPick: (place: number) => void }) {
  const each = Math.ceil(days.length / MOST_BARS);
  const bars = useMemo(() => {
    const made: { start: number; said: number; learnt: number; retired: number }[] = [];
    for (let start = 0; start < days.length; start += each) {
      const some = days.slice(start, start + each);
      const sum = (name: "said" | "learnt" | "retired") => some.reduce((total, day) => total + day[name], 0);
      made.push({ start, said: sum("said"), learnt: sum("learnt"), retired: sum("retired") });
    }
    return made;
  }, [days, each]);
  const most = Math.max(1, ...bars.map((bar) => bar.said + bar.learnt + bar.retired));
  const width = 1000 / bars.length;
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (Math.sqrt(count) / Math.sqrt(most)) * 84));
  return (
    <svg class="bars" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar) => {
        const [said, learnt, retired] = [height(bar.said), height(bar.learnt), height(bar.retired)];
        const x = (bar.start / each) * width;
        return (
          <g key={bar.start} onClick={() => onPick(bar.start)}>
            <rect x={x} width={width} y={0} height={100} class={handle >= bar.start && handle < bar.start + each ? "bar-chosen" : "bar-back"} />
            <rect x={x + width * 0.1} width={width * 0.8} y={98 - said} height={said} class="bar-said" />
            <rect x={x + width * 0.1} width={width * 0.4} y={98 - learnt} height={learnt} class="bar-learnt" />
            <rect x={x + width * 0.5} width={width * 0.4} y={98 - retired} height={retired} class="bar-retired" />
          </g>
        );
      })}
    </svg>
  );
}

function Then({ day }: { day: string }) {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const [asked, ask] = useState<number | null>(null);
  const start = new Date(`${day}T00:00`);
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  const asOf = new Date(Math.min(end.getTime() - 1, Date.now()));
  const facts = useLoaded(
    (signal) => get<MemoryList>("/memory/", { as_of: asOf.toISOString(), limit: FACTS }, signal),
    [day, mine],
    version,
  );
  const events = useLoaded(
    (signal) => get<Happened[]>("/happened", { since: start.toISOString(), until: end.toISOString(), limit: EVENTS }, signal),
    [day, mine],
    version,
  );
  return (
    <div class={`columns ${facts.isLoading || events.isLoading ? "is-loading" : ""}`}>
      <section aria-labelledby="then">
        <h2 id="then">
          {w.time.facts} {facts.data && <span class="count">{number(facts.data.total)}</span>}
        </h2>
        <p class="hint">{w.known.asOf(inWords(start))}</p>
        {facts.error && <Trouble error={facts.error} again={facts.again} />}
        {!facts.data && !facts.error && <Loading />}
        {facts.data?.total === 0 && <Empty title={w.time.noFacts} />}
        <ul class="rows">
          {facts.data?.memories.map((each) => (
            <li class="row" key={`${each.id} ${each.version}`}>
              <MemoryLink memory={each} />
              <Marks memory={each} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="happened">
        <h2 id="happened">{w.time.happened}</h2>
        {events.error && <Trouble error={events.error} again={events.again} />}
        {!events.data && !events.error && <Loading />}
        {events.data?.length === 0 && <p class="hint">{w.time.quiet}</p>}
        <ol class="rows">
          {events.data?.map(({ change, memory }) => (
            <li class="row" key={change.seq}>
              {memory ? <MemoryLink memory={memory} /> : <span class="hint">{w.time.gone}</span>}
              <span class="row-marks">
                <Tag>{called(w.event, change.event)}</Tag>
                <time dateTime={change.at}>{clock(change.at)}</time>
                {memory && (
                  <Button kind="quiet" icon="undo" label={w.time.undoOf(called(w.event, change.event), line(memory.content, 80))} onClick={() => ask(change.seq)}>
                    {w.action.undo}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ol>
      </section>
      {asked !== null && <UndoDialog change={asked} onClose={() => ask(null)} />}
    </div>
  );
}

/** What undoing a change would do, before it is done. */
function UndoDialog({ change, onClose }: { change: number; onClose: () => void }) {
  const w = useWords();
  const [failed, fail] = useState<Error | null>(null);
  const { data, error } = useLoaded((signal) => post<Undone>("/undo", { change }, { dry_run: true }, signal), [change]);

  async function run(): Promise<void> {
    try {
      const done = await undo(change);
      onClose();
      say(w.memory.undone, () => void (done.change && undo(done.change).catch((problem: Error) => say(problem.message))));
    } catch (problem) {
      fail(problem as Error);
    }
  }

  return (
    <Dialog title={w.time.undoTitle} onClose={onClose}>
      {!data && !error && <Loading />}
      {data?.steps.length === 0 && <p class="hint">{w.time.undoNothing}</p>}
      <ul class="rows">
        {data?.steps.map((step, index) => (
          <li class="row" key={index}>
            <span dir="auto">{step.content === null ? w.time.gone : line(step.content)}</span>
            <span class="row-marks">
              <Tag>{called(w.outcome, step.outcome)}</Tag>
              {step.reason && <span class="hint">{seen(step.reason)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {(failed ?? error) && <Trouble error={(failed ?? error)!} />}
      <div class="actions">
        <Button kind="primary" icon="undo" disabled={!data?.steps.length} onClick={() => void run()}>
          {w.action.undo}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {w.action.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
