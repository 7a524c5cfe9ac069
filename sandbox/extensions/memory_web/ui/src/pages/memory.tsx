/** One memory: what it says and claims, what it rests on, what became of it. */

import { get, isReadOnly, Problem } from "../api";
import { useAnswer, useLoaded } from "../loading";
import { Button, Meter, Missing, Section, Select, Tag, Title, useFolded, Waiting } from "../parts/basics";
import { Actions, isOver, Marks, MemoryRow, rate, restore, tellOf } from "../parts/memories";
import { line, Text } from "../parts/text";
import { to } from "../route";
import { useStore } from "../store";
import type { Claim, Confidence, Explanation, StoredMemory } from "../types";
import { called, claimed, dayOf, moment, percent, shortDay, w } from "../words";

const CHANGES = 8; // that are shown at first

export function MemoryPage({ id }: { id: string }) {
  const known = useAnswer<Explanation>(`/memory/${encodeURIComponent(id)}/history`);
  const { data, error, again } = known;
  if (error instanceof Problem && error.kind === "Forgotten") {
    return (
      <Missing title={w.memory.forgotten} hint={w.memory.forgottenHint}>
        <Button writes icon="undo" kind="primary" onClick={() => void restore(id).then(again)}>
          {w.action.restore}
        </Button>
      </Missing>
    );
  }
  if (error instanceof Problem && (error.status === 404 || error.status === 422)) {
    return (
      <Missing title={w.memory.unknown} hint={w.state.notFoundHint}>
        <a href={to("known")}>{w.nav.known}</a>
      </Missing>
    );
  }
  if (error || !data) return <Waiting title={w.nav.known} of={known} />;
  return <Shown known={data} again={again} />;
}

function Shown({ known, again }: { known: Explanation; again: () => void }) {
  const { memory } = known;
  const hasFaded = memory.fades_at !== null && new Date(memory.fades_at) <= new Date();
  const isLive = memory.retired_by === null && !hasFaded;
  if (memory.type === "episodic") return <Turn memory={memory} />;
  return (
    <article class="memory">
      <p class="crumb">
        <a href={to("known")}>{w.nav.known}</a>
      </p>
      <Title>{line(memory.content, 500)}</Title>
      <div class="memory-marks">
        <Marks memory={memory} without="subject" />
        {memory.retired_by && <Tag tone="bad">{called(w.memory.retired, memory.retired_by)}</Tag>}
        {!memory.retired_by && hasFaded && <Tag tone="bad">{w.memory.retired.decayed}</Tag>}
        {isOver(memory) && isLive && <Tag tone="warn">{w.memory.ended}</Tag>}
        {memory.tags.map((tag) => (
          <Tag key={tag} tone="quiet">
            #{line(tag, 60)}
          </Tag>
        ))}
      </div>
      {isLive ? (
        <Actions memory={memory} onChange={again} />
      ) : memory.retired_by === "proposed" ? (
        <div class="actions">
          <a class="button primary" href={to("decide")}>
            {w.nav.decide}
          </a>
        </div>
      ) : memory.retired_by !== "rejected" && (
        <div class="actions">
          <Button writes icon="undo" kind="primary" onClick={() => void restore(memory.id).then(again)}>
            {w.action.restore}
          </Button>
        </div>
      )}
      <div class="columns">
        <div>
          <Sources sources={known.sources} />
          <Others title={w.memory.conflicts} memories={known.possible_conflicts} />
          <Others title={w.memory.replacedBy} memories={known.superseded_by} />
          <Others title={w.memory.replaced} memories={known.supersedes} />
          <Versions versions={known.versions} />
        </div>
        <div>
          <Life memory={memory} />
          <Claims claims={known.claims} />
          <People names={known.entities} />
          <History known={known} />
        </div>
      </div>
    </article>
  );
}

/** Turns stand in conversations. */
function Turn({ memory }: { memory: StoredMemory }) {
  return (
    <article class="memory">
      <Title>{w.kind.episodic}</Title>
      <p class="speaker">
        {line(memory.speaker ?? called(w.talks.role, memory.role ?? ""), 60)} · {moment(memory.event_time)}
      </p>
      <Text>{memory.content}</Text>
      {memory.session && (
        <div class="actions">
          <a class="button primary" href={to("talks", memory.session, { turn: memory.id })}>
            {w.memory.inTalk}
          </a>
        </div>
      )}
    </article>
  );
}

function Life({ memory }: { memory: StoredMemory }) {
  return (
    <Section id="life" title={w.memory.life}>
      <Meter label={w.memory.confidence} told={percent(memory.confidence)} value={memory.confidence} />
      <Lifeline memory={memory} />
      <dl class="facts">
        <dt>{w.memory.since}</dt>
        <dd>
          {dayOf(memory.told, memory.valid_from)}
          {memory.valid_until && ` ${w.memory.until} ${shortDay(memory.valid_until)}`}
        </dd>
        {memory.subject && (
          <>
            <dt>{w.memory.about}</dt>
            <dd>
              <a href={to("people", memory.subject)}>{line(memory.subject, 80)}</a>
            </dd>
          </>
        )}
        <dt>{w.trust.label}</dt>
        <dd>{w.trust[memory.trust]}</dd>
        <dt>{w.memory.importance}</dt>
        <dd>
          <Importance memory={memory} />
        </dd>
        <dt>{w.memory.source}</dt>
        <dd>{line(called(w.memory.sourceName, memory.source), 80)}</dd>
        <dd>{w.memory.recalled(memory.access_count)}</dd>
        <dd>{memory.fades_at && !memory.retired_by ? w.memory.fadesOn(shortDay(memory.fades_at)) : !memory.retired_by && w.memory.never}</dd>
      </dl>
    </Section>
  );
}

const GRADES = [1, 2, 3, 4, 5];

/** How important it is, to be chosen while it is believed. */
function Importance({ memory }: { memory: StoredMemory }) {
  const isFixed = useStore(isReadOnly);
  if (memory.retired_by !== null || isFixed) return <>{w.memory.important(memory.importance)}</>;
  return (
    <Select
      label={w.memory.importance}
      value={String(memory.importance)}
      options={GRADES.map((grade) => [String(grade), w.memory.important(grade)])}
      onChoose={(grade) => void rate(memory.id, Number(grade)).catch(tellOf)}
    />
  );
}

/** Its confidence from when that was set last to when it fades, with where now is; the words below say the same. */
function Lifeline({ memory }: { memory: StoredMemory }) {
  const path = `/memory/${encodeURIComponent(memory.id)}/confidence_over_time`;
  const { data } = useLoaded((signal) => get<Confidence[]>(path, {}, signal), [path, memory]);
  if (!data || data.length < 2) return null;
  const times = data.map((each) => new Date(each.at).getTime());
  const [start, end] = [times[0]!, times.at(-1)!];
  const across = (at: number) => 8 + (284 * (at - start)) / Math.max(1, end - start);
  const up = (confidence: number) => 48 - 42 * confidence;
  const now = Math.min(Math.max(Date.now(), start), end);
  const points = data.map((each, index) => `${across(times[index]!).toFixed(1)},${up(each.confidence).toFixed(1)}`);
  return (
    <figure class="lifeline">
      <svg viewBox="0 0 300 56" aria-hidden="true">
        <line x1="8" x2="292" y1="48" y2="48" class="life-span" />
        <polyline points={points.join(" ")} class="life-curve" />
        <line x1={across(now)} x2={across(now)} y1="4" y2="52" class="life-now" />
        <circle cx={across(end)} cy="48" r="4" class="life-end" />
      </svg>
      <figcaption>
        <span>{shortDay(data[0]!.at)}</span>
        <span>
          {memory.retired_by ? called(w.memory.retired, memory.retired_by) : w.memory.fades} {shortDay(data.at(-1)!.at)}
        </span>
      </figcaption>
    </figure>
  );
}

function Claims({ claims }: { claims: Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <Section id="claims" title={w.memory.claims}>
      <ul class="claims">
        {claims.map((claim, index) => (
          <li key={index}>
            <b dir="auto">{claim.subject ? line(claim.subject, 80) : w.memory.you}</b>{" "}
            <span class="predicate">
              {!claim.is_affirmed && `${w.memory.not} `}
              {line(called(w.predicate, claim.predicate), 60)}
            </span>{" "}
            <b dir="auto">{line(claim.value, 200)}</b>
            {claim.time && <Tag tone="quiet">{claimed(claim.time, w.memory.from, w.memory.to)}</Tag>}
            {claim.modality !== "fact" && <Tag>{called(w.modality, claim.modality)}</Tag>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function People({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <Section id="names" title={w.memory.people}>
      <p class="chips">
        {names.map((name) => (
          <a class="chip" key={name} href={to("people", name)}>
            {line(name, 80)}
          </a>
        ))}
      </p>
    </Section>
  );
}

function Sources({ sources }: { sources: StoredMemory[] }) {
  return (
    <Section id="sources" title={w.memory.sources}>
      {sources.length === 0 && <p class="hint">{w.memory.noSources}</p>}
      <ul class="cards">
        {sources.map((turn) => (
          <li class="card" key={`${turn.id} ${turn.version}`}>
            <div class="card-head">
              <span class="speaker">{line(turn.speaker ?? called(w.talks.role, turn.role ?? ""), 60)}</span>
              <span class="when">{moment(turn.event_time)}</span>
            </div>
            <Text>{turn.content}</Text>
            {turn.session && (
              <a class="button quiet" href={to("talks", turn.session, { turn: turn.id })}>
                {w.memory.inTalk}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Others({ title, memories }: { title: string; memories: StoredMemory[] }) {
  if (memories.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="rows">
        {memories.map((each) => (
          <MemoryRow key={`${each.id} ${each.version}`} memory={each}>
            <time dateTime={each.valid_from}>{dayOf(each.told, each.valid_from)}</time>
          </MemoryRow>
        ))}
      </ul>
    </section>
  );
}

function Versions({ versions }: { versions: StoredMemory[] }) {
  if (versions.length < 2) return null;
  return (
    <Section id="versions" title={w.memory.versions}>
      <ol class="versions">
        {versions.map((each, index) => (
          <li key={each.version} class={index > 0 ? "is-old" : ""}>
            <span class="when">
              {w.memory.version(each.version)} · {moment(each.created_at)}
            </span>
            <Text>{each.content}</Text>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function History({ known }: { known: Explanation }) {
  const changes = known.changes.filter(({ detail }) => detail.to !== known.memory.id); // that it replaced its own version, "corrected" says
  const [shown, more] = useFolded(changes.reverse(), CHANGES);
  const others = new Map([...known.sources, ...known.supersedes, ...known.superseded_by, ...known.possible_conflicts].map((each) => [each.id, each]));
  return (
    <Section id="history" title={w.memory.history}>
      <ol class="history">
        {shown.map((change) => {
          const { relation } = change.detail;
          const other = others.get(String(change.detail.to ?? change.detail.other));
          const who = change.actor && change.actor !== change.interface ? `${w.memory.by} ${line(change.actor, 80)}` : null;
          const told = [
            change.interface && called(w.health.via, change.interface),
            who,
            change.reason && called(w.memory.because, change.reason),
          ].filter(Boolean);
          return (
            <li key={change.seq}>
              <span>
                {called(w.event, change.event)}
                {typeof relation === "string" && `: ${called(w.edge, relation)}`} {other && <a href={to("memory", other.id)} dir="auto">{line(other.content, 80)}</a>}
              </span>
              <time dateTime={change.at}>{moment(change.at)}</time>
              {told.length > 0 && <span class="hint">{told.join(" · ")}</span>}
            </li>
          );
        })}
      </ol>
      {more}
    </Section>
  );
}
