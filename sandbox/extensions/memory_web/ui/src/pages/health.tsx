/** Whether everything is in order, how much there is, and what models cost. */

import { get, useLoaded } from "../api";
import { changes } from "../live";
import { Loading, Table, Title, Trouble } from "../parts/basics";
import { Icon } from "../parts/icons";
import { seen } from "../parts/text";
import { to } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Check, Statistics } from "../types";
import { bytes, called, moment, number, useWords } from "../words";

export function HealthPage() {
  const w = useWords();
  return (
    <>
      <Title about={w.health.about}>{w.health.title}</Title>
      <Checks />
      <Held />
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
        {data?.map((check) => (
          <li key={check.name} class={check.ok ? "" : "is-bad"}>
            <Icon name={check.ok ? "check" : "warn"} />
            <div>
              <b>{called(w.health.check, check.name)}</b>
              <span class="visually-hidden">: {check.ok ? w.health.ok : w.health.bad}</span>
              <p>{seen(check.detail)}</p>
              {!check.ok && check.advice && <p class="advice">{seen(check.advice)}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
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
  const spending = Object.entries(data.spending);
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
        <p class="hint">
          {w.health.maintained}: {data.last_maintained_at ? moment(data.last_maintained_at) : w.health.never}
        </p>
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
      <section aria-labelledby="spending">
        <h2 id="spending">{w.health.spending}</h2>
        {spending.length === 0 ? (
          <p class="hint">{w.health.free}</p>
        ) : (
          <Table
            by="spending"
            heads={[w.health.step, w.health.calls, w.health.prompt, w.health.completion]}
            rows={spending.map(([step, spent]) => [
              seen(step),
              ...[spent.calls, spent.prompt_tokens, spent.completion_tokens].map((count) => number(count)),
            ])}
          />
        )}
      </section>
    </>
  );
}
