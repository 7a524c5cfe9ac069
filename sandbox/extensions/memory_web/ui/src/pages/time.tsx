/** What was believed at any moment, and what changed on that day. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, post } from "../api";
import { useAnswer, useCurrent, useLoaded } from "../loading";
import { Awaited, Button, Cancel, Dialog, Empty, Loading, say, Section, Tag, Title, Trouble, useWork } from "../parts/basics";
import { Marks, MemoryLink, tellOf, undo } from "../parts/memories";
import { Nights } from "../parts/nights";
import { line, seen } from "../parts/text";
import { changed, go, useRoute } from "../route";
import type { Day, KnowledgeChange, MemoryList, Night, UndoReport } from "../types";
import { called, clock, day as inWords, localDay, number, w, weekday } from "../words";

const FACTS = 100;
const EVENTS = 200;
const PAUSE = 150; // milliseconds the handle rests before a day is asked for
const MOST_BARS = 400;
const QUIET = 30; // days without anything, of which only the ends stand on the axis
const ENDS = 5;
const LEAST = 14; // days on the axis
const COUNTED = ["said", "learnt", "retired"] as const; // of a day

export function TimePage() {
  const days = useAnswer<Day[]>("/days", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  const { data } = days;
  return (
    <>
      <Title about={w.time.about}>{w.time.title}</Title>
      <Awaited of={days} />
      {data?.length === 0 && <Empty title={w.time.none} />}
      {data && data.length > 0 && <Days active={data} />}
    </>
  );
}

/** A day of the axis; before it days on which nothing happened may be left out. */
interface Shown extends Day {
  isAfterGap: boolean;
}

/** The days of the axis, from the first to today or the last. Of a long quiet time only the ends are on it. */
function axis(active: Day[]): Shown[] {
  const today = localDay(new Date());
  const known = new Map(active.map((each) => [each.day, each]));
  const marked = active.at(-1)!.day < today ? [...known.keys(), today] : [...known.keys()];
  const days: Shown[] = [];
  const shown = (name: string, isAfterGap = false) => ({ ...(known.get(name) ?? { day: name, said: 0, learnt: 0, retired: 0 }), isAfterGap });
  const add = (name: string, isAfterGap?: boolean) => days.push(shown(name, isAfterGap));
  for (const mark of marked) {
    let next = days.length ? moved(days.at(-1)!.day, 1) : mark;
    if (moved(next, QUIET) < mark) {
      for (let count = 0; count < ENDS; count += 1, next = moved(next, 1)) add(next);
      next = moved(mark, -ENDS);
      add(next, true);
      next = moved(next, 1);
    }
    for (; next <= mark; next = moved(next, 1)) add(next);
  }
  while (days.length < LEAST) days.unshift(shown(moved(days[0]!.day, -1)));
  return days;
}

/** The day so many days later, or earlier. */
function moved(day: string, by: number): string {
  const at = new Date(`${day}T12:00`);
  at.setDate(at.getDate() + by);
  return localDay(at);
}

/** The axis with a day that it left out. */
function withDay(days: Shown[], day: string): Shown[] {
  const next = days.findIndex((each) => each.day >= day);
  if (days[next]!.day === day) return days;
  return [...days.slice(0, next), { day, said: 0, learnt: 0, retired: 0, isAfterGap: true }, ...days.slice(next)];
}

function isDay(name: string | null): name is string {
  return name !== null && /^\d{4}-\d\d-\d\d$/.test(name) && moved(name, 0) === name;
}

function Days({ active }: { active: Day[] }) {
  const route = useRoute();
  const all = useMemo(() => axis(active), [active]);
  const first = all[0]!.day;
  const last = all.at(-1)!.day;
  const asked = route.query.get("day");
  const chosen = isDay(asked) && asked >= first && asked <= last ? asked : active.at(-1)!.day;
  const [handle, move] = useState(chosen);
  const sent = useRef(chosen); // the address follows the handle, which may have gone on meanwhile
  useEffect(() => {
    if (chosen !== sent.current) move(chosen);
    sent.current = chosen;
  }, [chosen]);
  useEffect(() => {
    if (handle === chosen) return undefined;
    const waiting = setTimeout(() => {
      sent.current = handle;
      go(changed(route, { day: handle }), { replace: true });
    }, PAUSE);
    return () => clearTimeout(waiting);
  }, [handle, chosen]);
  const days = useMemo(() => withDay(all, handle < first || handle > last ? chosen : handle), [all, handle]);
  const place = Math.max(0, days.findIndex((each) => each.day === handle));
  const shown = days[place]!;
  const pick = (day: string) => day >= first && day <= last && move(day);

  return (
    <>
      <section class="timeline" aria-label={w.time.days}>
        <Bars days={days} handle={place} onPick={(place) => move(days[place]!.day)} />
        <input
          type="range"
          min={0}
          max={days.length - 1}
          value={place}
          aria-label={w.time.handle}
          aria-valuetext={weekday(`${shown.day}T12:00`)}
          onInput={(event) => move(days[Number(event.currentTarget.value)]!.day)}
        />
        <div class="timeline-foot">
          <Button kind="quiet" icon="left" onClick={() => pick(moved(handle, -1))}>
            {w.time.previous}
          </Button>
          <label class="day-field">
            <span class="visually-hidden">{w.time.handle}</span>
            <input
              type="date"
              value={shown.day}
              min={first}
              max={last}
              onChange={(event) => isDay(event.currentTarget.value) && pick(event.currentTarget.value)}
            />
          </label>
          <Button kind="quiet" icon="right" onClick={() => pick(moved(handle, 1))}>
            {w.time.next}
          </Button>
        </div>
        <p class="timeline-told" role="status">
          <b>{weekday(`${shown.day}T12:00`)}</b>
          {COUNTED.map((name) => (
            <span class={`legend for-${name}`} key={name}>
              {" "}
              {number(shown[name])} {w.time[name]}
            </span>
          ))}
        </p>
        {all.some((each) => each.isAfterGap) && <p class="hint gap-told">{w.time.shortened}</p>}
      </section>
      <Then day={chosen} />
    </>
  );
}

/** Of many days several stand in one bar. */
function Bars({ days, handle, onPick }: { days: Shown[]; handle: number; onPick: (place: number) => void }) {
  const each = Math.ceil(days.length / MOST_BARS);
  const bars = useMemo(() => {
    const made: { start: number; said: number; learnt: number; retired: number; isAfterGap: boolean }[] = [];
    for (let start = 0; start < days.length; start += each) {
      const some = days.slice(start, start + each);
      const sum = (name: "said" | "learnt" | "retired") => some.reduce((total, day) => total + day[name], 0);
      made.push({ start, said: sum("said"), learnt: sum("learnt"), retired: sum("retired"), isAfterGap: some.some((day) => day.isAfterGap) });
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
            {bar.isAfterGap && <line x1={x} x2={x} y1={0} y2={100} class="bar-gap" />}
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
  const [asked, ask] = useState<number | null>(null);
  const start = new Date(`${day}T00:00`);
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  const asOf = new Date(Math.min(end.getTime() - 1, Date.now()));
  const facts = useCurrent((signal) => get<MemoryList>("/memory/", { as_of: asOf.toISOString(), limit: FACTS }, signal), [day]);
  const events = useAnswer<KnowledgeChange[]>("/knowledge_changes", { since: start.toISOString(), until: end.toISOString(), limit: EVENTS });
  const nights = useAnswer<Night[]>("/nights", { limit: 60 });
  const that = nights.data?.filter((night) => localDay(new Date(night.at)) === day) ?? [];
  return (
    <div class={`columns ${facts.isLoading || events.isLoading ? "is-loading" : ""}`}>
      <Section id="then" title={<>{w.time.facts} {facts.data && <span class="count">{number(facts.data.total)}</span>}</>}>
        <p class="hint">{w.known.asOf(inWords(start))}</p>
        <Awaited of={facts} />
        {facts.data?.total === 0 && <Empty title={w.time.noFacts} />}
        <ul class="rows">
          {facts.data?.memories.map((each) => (
            <li class="row" key={`${each.id} ${each.version}`}>
              <MemoryLink memory={each} />
              <Marks memory={each} />
            </li>
          ))}
        </ul>
      </Section>
      <div>
        <Section id="happened" title={w.time.happened}>
          <Awaited of={events} />
          {events.data?.length === 0 && <p class="hint">{w.time.quiet}</p>}
          <ol class="rows">
            {events.data?.map(({ change, memory }) => (
              <li class="row" key={change.seq}>
                {memory ? <MemoryLink memory={memory} /> : <span class="hint">{w.time.gone}</span>}
                <span class="row-marks">
                  <Tag>{called(w.event, change.event)}</Tag>
                  <time dateTime={change.at}>{clock(change.at)}</time>
                  {memory && (
                    <Button writes kind="quiet" icon="undo" label={w.time.undoOf(called(w.event, change.event), line(memory.content, 80))} onClick={() => ask(change.seq)}>
                      {w.action.undo}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ol>
        </Section>
        {that.length > 0 && (
          <Section id="night" title={w.night.ofDay}>
            <Nights nights={that} by="night" isOneDay />
          </Section>
        )}
      </div>
      {asked !== null && <UndoDialog change={asked} onClose={() => ask(null)} />}
    </div>
  );
}

/** What undoing a change would do, before it is done. */
function UndoDialog({ change, onClose }: { change: number; onClose: () => void }) {
  const work = useWork();
  const { data, error } = useLoaded((signal) => post<UndoReport>("/undo", { change }, { dry_run: true }, signal), [change]);

  async function run(): Promise<void> {
    const done = await undo(change);
    onClose();
    say(w.memory.undone, () => void (done.change && undo(done.change).catch(tellOf)));
  }

  return (
    <Dialog title={w.time.undoTitle} onClose={onClose}>
      {!data && !error && <Loading />}
      {data?.change === null && <p class="hint">{w.time.undoNothing}</p>}
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
      {(work.error ?? error) && <Trouble error={(work.error ?? error)!} />}
      <div class="actions">
        <Button kind="primary" icon="undo" disabled={data?.change == null} onClick={() => void work.run(run)}>
          {w.action.undo}
        </Button>
        <Cancel onCancel={onClose} />
      </div>
    </Dialog>
  );
}
