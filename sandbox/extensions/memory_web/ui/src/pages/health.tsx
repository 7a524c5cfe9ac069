/** Whether everything is in order, how much there is, who changed it, and what models cost. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { get } from "../api";
import { useAnswer, useLoaded, type Loaded } from "../loading";
import { Awaited, Section, Table, Title, Trouble, useFolded, Whole } from "../parts/basics";
import { Icon } from "../parts/icons";
import { Nights } from "../parts/nights";
import { line, seen } from "../parts/text";
import { to } from "../route";
import type { Check, Failures, Night, Spending, Spent, Statistics, Trouble as HookTrouble } from "../types";
import { bytes, called, moment, number, utcDay, w } from "../words";

const SHOWN = 10; // rows of a table, before more is asked for

export function HealthPage() {
  return (
    <>
      <Title about={w.health.about}>{w.health.title}</Title>
      <Checks />
      <Troubles />
      <Failed />
      <Held />
      <LastNights />
      <Costs />
    </>
  );
}

function Checks() {
  const checks = useLoaded((signal) => get<Check[]>("/checks", {}, signal), []);
  const { data } = checks;
  const wrong = data?.filter((check) => !check.ok).length ?? 0;
  return (
    <Section id="checks" title={w.health.checks}>
      <Awaited of={checks} />
      {data && (
        <p class={wrong ? "verdict is-bad" : "verdict is-good"} role="status">
          <Icon name={wrong ? "warn" : "check"} />
          {wrong ? w.health.wrong(wrong) : w.health.fine}
        </p>
      )}
      <ul class="checks">
        {data?.map((check) => {
          const [found, advice = check.advice] = worded(check);
          return (
            <li key={check.name} class={check.ok ? "" : "is-bad"}>
              <Icon name={check.ok ? "check" : "warn"} />
              <div>
                <b>{called(w.health.check, check.name)}</b>
                <span class="visually-hidden">: {check.ok ? w.health.ok : w.health.bad}</span>
                <p>{seen(found)}</p>
                {!check.ok && advice && <p class="advice">{seen(advice)}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** What a check found and what to do, in the words of the language, else in the server's. */
function worded({ finding, values, detail }: Check): [string, string?] {
  if (finding === null || !Object.hasOwn(w.health.finding, finding)) return [detail];
  const shown = Object.entries(values).map(([name, value]) => {
    if (name === "at" || name === "since") return [name, moment(String(value))];
    return [name, name === "error" ? called(w.health.error, String(value)) : value];
  });
  return w.health.finding[finding]!(Object.fromEntries(shown));
}

function Held() {
  const held = useAnswer<Statistics>("/stats");
  const { data, error } = held;
  if (error || !data) return <Awaited of={held} />;
  const retired = Object.values(data.retired).reduce((sum, count) => sum + count, 0);
  const figures: [string, string][] = [
    [w.health.facts, number(data.nodes.semantic ?? 0)],
    [w.health.opinions, number(data.nodes.opinion ?? 0)],
    [w.health.procedures, number(data.nodes.procedural ?? 0)],
    [w.health.turns, number(data.nodes.episodic ?? 0)],
    [w.health.sessions, number(data.sessions)],
    [w.health.pending, number(data.sessions_pending)],
    [w.health.entities, number(data.entities)],
    [w.health.retired, number(retired)],
    [w.health.vectors, number(data.vectors)],
    [w.health.backlog, number(data.embedding_backlog)],
    [w.health.changes, number(data.changes)],
    [w.health.size, bytes(data.database_bytes)],
  ];
  return (
    <>
      <Section id="held" title={w.health.held}>
        <dl class="figures">
          {figures.map(([name, figure]) => (
            <div key={name}>
              <dd>{figure}</dd>
              <dt>{name}</dt>
            </div>
          ))}
        </dl>
      </Section>
      {retired > 0 && (
        <Section id="retired" title={w.health.reasons}>
          <Table
            by="retired"
            heads={[w.health.reason, w.health.memories]}
            rows={Object.entries(data.retired).map(([reason, count]) => [called(w.memory.retired, reason), number(count)])}
          />
          <p class="hint">
            <a href={to("known", null, { state: "retired" })}>{w.health.seeRetired}</a>
          </p>
        </Section>
      )}
      <Clients writes={data.writes} />
    </>
  );
}

/** What was changed through what: each way in, and how often it did what. */
function Clients({ writes }: { writes: Statistics["writes"] }) {
  const clients = new Map<string, [string, number][]>();
  for (const [key, count] of Object.entries(writes)) {
    const [client, event] = key.split(".") as [string, string];
    clients.set(client, [...(clients.get(client) ?? []), [event, count]]);
  }
  const total = (done: [string, number][]) => done.reduce((sum, [, count]) => sum + count, 0);
  const rows = [...clients].map(([client, done]) => ({ client, done: done.sort((a, b) => b[1] - a[1]), all: total(done) }));
  return (
    <Section id="clients" title={w.health.clients}>
      {rows.length === 0 ? (
        <p class="hint">{w.health.nobody}</p>
      ) : (
        <Table
          by="clients"
          heads={[w.health.client, w.health.did, w.health.inAll]}
          rows={rows
            .sort((a, b) => b.all - a.all)
            .map(({ client, done, all }) => [
              called(w.health.via, client),
              done.map(([event, count]) => `${called(w.event, event)} ${number(count)}`).join(" · "),
              number(all),
            ])}
        />
      )}
    </Section>
  );
}

interface ListingProps<T> {
  id: string;
  title: string;
  of: Loaded<T[]>;
  about?: string;
  none: string;
  heads: string[];
  row: (each: T) => ComponentChildren[];
}

/** A table of what is listed, or a hint that there is nothing. */
function Listing<T>({ id, title, of: { data, error, again }, about, none, heads, row }: ListingProps<T>) {
  const [shown, more] = useFolded(data ?? [], SHOWN);
  if (!data && !error) return null;
  const hint = data && (data.length > 0 ? about : none);
  return (
    <Section id={id} title={title}>
      {error && <Trouble error={error} again={again} />}
      {hint && <p class="hint">{hint}</p>}
      {shown.length > 0 && <Table by={id} heads={heads} rows={shown.map(row)} more={more} />}
    </Section>
  );
}

/** What stood in the way of hooks: agents went on without the memory. */
function Troubles() {
  return (
    <Listing
      id="troubles"
      title={w.health.troubles}
      of={useLoaded((signal) => get<HookTrouble[]>("/troubles", {}, signal), [])}
      about={w.health.troublesAbout}
      none={w.health.noTroubles}
      heads={[w.health.when, w.health.where, w.health.problem]}
      row={(each) => [<Whole>{moment(each.at)}</Whole>, <Whole>{seen(called(w.health.place, each.where))}</Whole>, seen(inWords(each))]}
    />
  );
}

function inWords({ finding, values, problem }: HookTrouble): string {
  const told = w.health.trouble[finding];
  return told ? told({ ...values, error: called(w.health.error, values.error ?? "") }) : problem;
}

/** What clients asked for and were answered with an error. */
function Failed() {
  return (
    <Listing
      id="failures"
      title={w.health.failures}
      of={useAnswer<Failures[]>("/failures")}
      about={w.health.failuresAbout}
      none={w.health.noTroubles}
      heads={[w.health.latest, w.health.client, w.health.operation, w.health.problem, w.health.times]}
      row={(each) => [
        <Whole>{moment(each.latest)}</Whole>,
        called(w.health.via, each.interface) + (each.client ? ` (${line(each.client, 40)})` : ""),
        <code>{seen(each.operation)}</code>,
        called(w.health.error, each.error),
        number(each.count),
      ]}
    />
  );
}

function LastNights() {
  const { data, error, again } = useAnswer<Night[]>("/nights", { limit: 60 });
  if (!data && !error) return null;
  return (
    <Section id="nights" title={w.night.title}>
      {error && <Trouble error={error} again={again} />}
      {data && <p class="hint">{data.length ? w.night.about : w.night.none}</p>}
      {data && data.length > 0 && <Nights nights={data} by="nights" />}
    </Section>
  );
}

/** What models cost, a row for each day, with a bar as long as its share of the dearest day. */
function Costs() {
  const spending = useAnswer<Spending[]>("/spending", { days: 90 });
  const days = useMemo(() => spending.data && byDay(spending.data), [spending.data]);
  const dearest = Math.max(1, ...(days ?? []).map((each) => each.prompt_tokens + each.completion_tokens));
  return (
    <Listing
      id="spending"
      title={w.health.spending}
      of={{ ...spending, data: days }}
      none={w.health.free}
      heads={[w.health.day, w.health.tokens, w.health.prompt, w.health.completion, w.health.calls, w.health.steps]}
      row={(each) => [
        <Whole>{utcDay(each.day)}</Whole>,
        <span class="share" aria-hidden="true">
          <span style={{ width: `${(100 * (each.prompt_tokens + each.completion_tokens)) / dearest}%` }} />
        </span>,
        ...[each.prompt_tokens, each.completion_tokens, each.calls].map((count) => number(count)),
        [...each.steps].map((step) => called(w.health.stepName, step)).join(", "),
      ]}
    />
  );
}

interface DayCost extends Spent {
  day: string;
  steps: Set<string>;
}

function byDay(spending: Spending[]): DayCost[] {
  const days = new Map<string, DayCost>();
  for (const each of spending) {
    const known = days.get(each.day) ?? { day: each.day, calls: 0, prompt_tokens: 0, completion_tokens: 0, steps: new Set() };
    known.calls += each.calls;
    known.prompt_tokens += each.prompt_tokens;
    known.completion_tokens += each.completion_tokens;
    known.steps.add(each.step);
    days.set(each.day, known);
  }
  return [...days.values()];
}
