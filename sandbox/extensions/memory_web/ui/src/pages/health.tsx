/** Whether everything is in order, how much there is, who changed it, and what models cost. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { get, useLoaded } from "../api";
import { changes } from "../live";
import { Loading, Table, Title, Trouble, useFolded } from "../parts/basics";
import { Icon } from "../parts/icons";
import { Nights } from "../parts/nights";
import { line, seen } from "../parts/text";
import { to } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Check, Failures, Night, Spending, Spent, Statistics, Trouble as HookTrouble } from "../types";
import { bytes, called, moment, number, useWords, utcDay, type Words } from "../words";

const SHOWN = 10; // rows of a table, before more is asked for

export function HealthPage() {
  const w = useWords();
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
  const w = useWords();
  const { data, error, again } = useLoaded((signal) => get<Check[]>("/checks", {}, signal), []);
  const wrong = data?.filter((check) => !check.ok).length ?? 0;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">{w.health.checks}</h2>
      {error && <Trouble error={error} again={again} />}
      {!data && !error && <Loading />}
      {data && (
        <p class={wrong ? "verdict is-bad" : "verdict is-good"} role="status">
          <Icon name={wrong ? "warn" : "check"} />
          {wrong ? w.health.wrong(wrong) : w.health.fine}
        </p>
      )}
      <ul class="checks">
        {data?.map((check) => {
          const [found, advice = check.advice] = worded(check, w);
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
    </section>
  );
}

/** What a check found and what to do, in the words of the language, else in the server's. */
function worded({ finding, values, detail }: Check, w: Words): [string, string?] {
  if (finding === null || !Object.hasOwn(w.health.finding, finding)) return [detail];
  const shown = Object.entries(values).map(([name, value]) => {
    if (name === "at" || name === "since") return [name, moment(String(value))];
    return [name, name === "error" ? called(w.health.error, String(value)) : value];
  });
  return w.health.finding[finding]!(Object.fromEntries(shown));
}

function Held() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const { data, error, again } = useLoaded((signal) => get<Statistics>("/stats", {}, signal), [mine], version);
  if (error) return <Trouble error={error} again={again} />;
  if (!data) return <Loading />;
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
      <section aria-labelledby="held">
        <h2 id="held">{w.health.held}</h2>
        <dl class="figures">
          {figures.map(([name, figure]) => (
            <div key={name}>
              <dd>{figure}</dd>
              <dt>{name}</dt>
            </div>
          ))}
        </dl>
      </section>
      {retired > 0 && (
        <section aria-labelledby="retired">
          <h2 id="retired">{w.health.reasons}</h2>
          <Table
            by="retired"
            heads={[w.health.reason, w.health.memories]}
            rows={Object.entries(data.retired).map(([reason, count]) => [called(w.memory.retired, reason), number(count)])}
          />
          <p class="hint">
            <a href={to("known", null, { state: "retired" })}>{w.health.seeRetired}</a>
          </p>
        </section>
      )}
      <Clients writes={data.writes} />
    </>
  );
}

/** What was changed through what: each way in, and how often it did what. */
function Clients({ writes }: { writes: Statistics["writes"] }) {
  const w = useWords();
  const clients = new Map<string, [string, number][]>();
  for (const [key, count] of Object.entries(writes)) {
    const [client, event] = key.split(".") as [string, string];
    clients.set(client, [...(clients.get(client) ?? []), [event, count]]);
  }
  const total = (done: [string, number][]) => done.reduce((sum, [, count]) => sum + count, 0);
  const rows = [...clients].map(([client, done]) => ({ client, done: done.sort((a, b) => b[1] - a[1]), all: total(done) }));
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">{w.health.clients}</h2>
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
    </section>
  );
}

/** What stood in the way of hooks: agents went on without the memory. */
function Troubles() {
  const w = useWords();
  const { data, error, again } = useLoaded((signal) => get<HookTrouble[]>("/troubles", {}, signal), []);
  const [shown, more] = useFolded(data ?? [], SHOWN);
  if (!data && !error) return null;
  return (
    <section aria-labelledby="troubles">
      <h2 id="troubles">{w.health.troubles}</h2>
      {error && <Trouble error={error} again={again} />}
      {data && (
        <>
          <p class="hint">{data.length ? w.health.troublesAbout : w.health.noTroubles}</p>
          {data.length > 0 && (
            <Table
              by="troubles"
              heads={[w.health.when, w.health.where, w.health.problem]}
              rows={shown.map((each) => [<Whole>{moment(each.at)}</Whole>, <Whole>{seen(called(w.health.place, each.where))}</Whole>, seen(inWords(each, w))])}
              more={more}
            />
          )}
        </>
      )}
    </section>
  );
}

function inWords({ finding, values, problem }: HookTrouble, w: Words): string {
  const told = w.health.trouble[finding];
  return told ? told({ ...values, error: called(w.health.error, values.error ?? "") }) : problem;
}

/** What clients asked for and were answered with an error. */
function Failed() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const { data, error, again } = useLoaded((signal) => get<Failures[]>("/failures", {}, signal), [mine], version);
  const [shown, more] = useFolded(data ?? [], SHOWN);
  if (!data && !error) return null;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">{w.health.failures}</h2>
      {error && <Trouble error={error} again={again} />}
      {data && <p class="hint">{data.length ? w.health.failuresAbout : w.health.noTroubles}</p>}
      {shown.length > 0 && (
        <Table
          by="failures"
          heads={[w.health.latest, w.health.client, w.health.operation, w.health.problem, w.health.times]}
          rows={shown.map((each) => [
            <Whole>{moment(each.latest)}</Whole>,
            called(w.health.via, each.interface) + (each.client ? ` (${line(each.client, 40)})` : ""),
            <code>{seen(each.operation)}</code>,
            called(w.health.error, each.error),
            number(each.count),
          ])}
          more={more}
        />
      )}
    </section>
  );
}

function LastNights() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const { data, error, again } = useLoaded((signal) => get<Night[]>("/nights", { limit: 60 }, signal), [mine], version);
  if (!data && !error) return null;
  return (
    <section aria-labelledby="nights">
      <h2 id="nights">{w.night.title}</h2>
      {error && <Trouble error={error} again={again} />}
      {data && <p class="hint">{data.length ? w.night.about : w.night.none}</p>}
      {data && data.length > 0 && <Nights nights={data} by="nights" />}
    </section>
  );
}

/** Words that stay in one line: the table scrolls. */
function Whole({ children }: { children: ComponentChildren }) {
  return <span class="whole">{children}</span>;
}

/** What models cost, a row for each day, with a bar as long as its share of the dearest day. */
function Costs() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const { data, error, again } = useLoaded((signal) => get<Spending[]>("/spending", { days: 90 }, signal), [mine], version);
  const days = useMemo(() => byDay(data ?? []), [data]);
  const [shown, more] = useFolded(days, SHOWN);
  if (!data && !error) return null;
  const dearest = Math.max(1, ...days.map((each) => each.prompt_tokens + each.completion_tokens));
  return (
    <section aria-labelledby="spending">
      <h2 id="spending">{w.health.spending}</h2>
      {error && <Trouble error={error} again={again} />}
      {data && days.length === 0 && <p class="hint">{w.health.free}</p>}
      {days.length > 0 && (
        <Table
          by="spending"
          heads={[w.health.day, w.health.tokens, w.health.prompt, w.health.completion, w.health.calls, w.health.steps]}
          rows={shown.map((each) => [
            <Whole>{utcDay(each.day)}</Whole>,
            <span class="share" aria-hidden="true">
              <span style={{ width: `${(100 * (each.prompt_tokens + each.completion_tokens)) / dearest}%` }} />
            </span>,
            ...[each.prompt_tokens, each.completion_tokens, each.calls].map((count) => number(count)),
            [...each.steps].map((step) => called(w.health.stepName, step)).join(", "),
          ])}
          more={more}
        />
      )}
    </section>
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
