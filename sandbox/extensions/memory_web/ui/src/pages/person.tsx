/** A person, project, place or thing: what is known of it, and how it stands to others. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { post, Problem } from "../api";
import { useAnswer, useLoaded } from "../loading";
import { Awaited, Button, Cancel, Dialog, Field, Form, Missing, say, Section, Select, Table, Tag, Title, Trouble, useFolded, useWork, Waiting } from "../parts/basics";
import { MemoryRow, TurnRow } from "../parts/memories";
import { line, Text } from "../parts/text";
import { changed, go, to, useRoute } from "../route";
import type { EntityProfile, EntityEdge, Neighbourhood, Relation } from "../types";
import { UNKNOWN } from "../types";
import { called, dayOf, shortDay, w } from "../words";

const REACH = [1, 2, 3];
const TOGETHER = "-"; // the relation of two that memories mention together
const FOLDED = 12; // lines, before more are asked for

export function PersonPage({ id }: { id: string }) {
  const path = `/entities/${encodeURIComponent(id)}`;
  const person = useAnswer<EntityProfile>(path);
  const { data, error, again } = person;
  if (error instanceof Problem && error.status === 404) {
    return (
      <Missing title={w.people.title} hint={w.people.unknown}>
        <a href={to("people")}>{w.nav.people}</a>
      </Missing>
    );
  }
  if (error || !data) return <Waiting title={w.nav.people} of={person} />;
  return (
    <article class="person">
      <p class="crumb">
        <a href={to("people")}>{w.nav.people}</a>
      </p>
      <Title>{line(data.name, 200)}</Title>
      <div class="memory-marks">
        {data.type !== UNKNOWN && <Tag tone="quiet">{called(w.entityKind, data.type)}</Tag>}
        <span>{w.people.mentions(data.mentions)}</span>
        <span class="when">
          {w.people.first} {shortDay(data.first_seen)} · {w.people.last} {shortDay(data.last_seen)}
        </span>
      </div>
      {data.summary && <Text>{data.summary}</Text>}
      <Names person={data} />
      <div class="actions">
        <Merge person={data} again={again} />
        {data.merged.length > 0 && <Split path={path} again={again} />}
      </div>
      <div class="columns">
        <div>
          <Facts person={data} />
          <Said person={data} />
        </div>
        <div>
          <Relations relations={data.relations} />
          <Near path={path} centre={data.id} />
        </div>
      </div>
    </article>
  );
}

function Names({ person }: { person: EntityProfile }) {
  const namesakes = Object.entries(person.namesakes).map(([id, name]) => (
    <a key={id} href={to("people", id)}>
      {line(name, 80)}
    </a>
  ));
  const rows: [name: string, told: ComponentChildren][] = [
    [w.people.aliases, person.aliases.map((each) => line(each, 80)).join(", ")],
    [w.people.merged, person.merged.map((each) => line(each, 80)).join(", ")],
    [w.people.namesakes, namesakes.length > 0 && namesakes],
  ];
  return (
    <dl class="facts names">
      {rows.map(
        ([name, told]) =>
          told && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{told}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Facts({ person }: { person: EntityProfile }) {
  const [shown, more] = useFolded(person.facts, FOLDED);
  if (person.facts.length === 0) return null;
  return (
    <Section id="facts" title={w.people.facts}>
      <ul class="rows">
        {shown.map((each) => (
          <MemoryRow key={each.id} memory={each}>
            <time dateTime={each.valid_from}>{dayOf(each.told, each.valid_from)}</time>
          </MemoryRow>
        ))}
      </ul>
      {more}
    </Section>
  );
}

function Said({ person }: { person: EntityProfile }) {
  const [shown, more] = useFolded(person.timeline, FOLDED);
  if (person.timeline.length === 0) return null;
  return (
    <Section id="said" title={w.people.timeline}>
      <ul class="rows">
        {shown.map((each) => (
          <TurnRow key={each.id} turn={each} />
        ))}
      </ul>
      {more}
    </Section>
  );
}

function Relations({ relations }: { relations: Relation[] }) {
  const [shown, more] = useFolded(relations, FOLDED);
  return (
    <Section id="relations" title={w.people.relations}>
      {relations.length === 0 ? (
        <p class="hint">{w.people.noRelations}</p>
      ) : (
        <Table
          by="relations"
          heads={[w.people.subject, w.people.predicate, w.people.value, w.people.since]}
          rows={shown.map((each) => [
            each.subject ? line(each.subject, 80) : w.memory.you,
            <Claimed claim={each} />,
            each.value ? line(each.value, 80) : w.memory.you,
            shortDay(each.since),
          ])}
          more={more}
        />
      )}
    </Section>
  );
}

function Near({ path, centre }: { path: string; centre: string }) {
  const route = useRoute();
  const asked = Number(route.query.get("reach"));
  const hops = REACH.includes(asked) ? asked : 1;
  const day = route.query.get("on");
  const relation = route.query.get("by") ?? "";
  const as_of = day && /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T23:59:59`).toISOString() : null;
  const found = useAnswer<Neighbourhood>(`${path}/neighbourhood`, { hops, limit: 2_000, as_of });
  const { data, error } = found;
  const near = useMemo(() => data && joinedBy(data, relation), [data, relation]);
  const relations = [...new Set([...(data?.edges.map(({ predicate }) => predicate ?? TOGETHER) ?? []), relation])].filter(Boolean).sort();
  const named = (each: string) => (each === TOGETHER ? w.people.anyTogether : called(w.predicate, each));
  const narrow = (filter: string, value: string) => go(changed(route, { [filter]: value || null }), { replace: true });
  const isUnknown = error instanceof Problem && error.status === 404;
  return (
    <section aria-labelledby="near">
      <div class="section-head">
        <h2 id="near">{w.people.graph}</h2>
        <label>
          {w.people.joinedBy}{" "}
          <Select
            value={relation}
            options={[["", w.people.anything], ...relations.map((each): [string, string] => [each, named(each)])]}
            onChoose={(value) => narrow("by", value)}
          />
        </label>
        <label>
          {w.people.asOf} <input type="date" value={day ?? ""} onChange={(event) => narrow("on", event.currentTarget.value)} />
        </label>
        <label>
          {w.people.hops}{" "}
          <Select value={String(hops)} options={REACH.map((each) => [String(each), w.people.hop(each)])} onChoose={(value) => narrow("reach", value)} />
        </label>
      </div>
      {!isUnknown && <Awaited of={found} />}
      {(isUnknown || near?.edges.length === 0) && <p class="hint">{w.people.alone}</p>}
      {near && !isUnknown && near.edges.length > 0 && (
        <>
          <p class="hint">{w.people.graphAbout}</p>
          <Drawn near={near} />
          <NearTable near={near} centre={centre} />
        </>
      )}
    </section>
  );
}

/** The graph; what draws it is fetched when one is first shown. */
function Drawn({ near }: { near: Neighbourhood }) {
  const part = useLoaded(() => import("../graph/graph"), []);
  return part.data ? <part.data.default near={near} /> : <Awaited of={part} />;
}

/** What is joined by one relation; without one, everything. */
function joinedBy(near: Neighbourhood, relation: string): Neighbourhood {
  if (!relation) return near;
  const edges = near.edges.filter(({ predicate }) => (predicate ?? TOGETHER) === relation);
  const ends = new Set([near.centre, ...edges.flatMap(({ source, target }) => [source, target])]);
  return { ...near, edges, entities: near.entities.filter(({ id }) => ends.has(id)) };
}

/** The graph in words, for those who cannot see it. */
function NearTable({ near, centre }: { near: Neighbourhood; centre: string }) {
  const [edges, more] = useFolded(near.edges, FOLDED);
  const names = new Map(near.entities.map((each) => [each.id, each.name]));
  const link = (id: string) => (id === "" ? w.memory.you : id === centre ? line(names.get(id) ?? id, 60) : <a href={to("people", id)}>{line(names.get(id) ?? id, 60)}</a>);
  return (
    <Table
      label={w.people.graph}
      heads={[w.people.subject, w.people.joinedBy, w.people.with]}
      rows={edges.map((edge) => [link(edge.source), <Claimed claim={edge} />, link(edge.target)])}
      more={more}
    />
  );
}

/** What joins two, as a link to the memory that says so. */
function Claimed({ claim }: { claim: Relation | EntityEdge }) {
  return (
    <a href={to("memory", claim.id)}>
      {!claim.is_affirmed && `${w.memory.not} `}
      {claim.predicate === null && "memories" in claim ? w.people.together(claim.memories) : line(called(w.predicate, claim.predicate ?? ""), 60)}
      {"modality" in claim && claim.modality !== "fact" && ` (${called(w.modality, claim.modality)})`}
    </a>
  );
}

function Merge({ person, again }: { person: EntityProfile; again: () => void }) {
  const [isOpen, open] = useState(false);
  const [into, write] = useState("");
  const { error, run } = useWork();

  async function merge(): Promise<void> {
    const whole = await post<EntityProfile>(`/entities/${encodeURIComponent(person.id)}/merge`, { into: into.trim() });
    open(false);
    say(w.people.mergeDone, () => void post(`/entities/${encodeURIComponent(whole.id)}/split`).then(again));
    go(to("people", whole.id));
  }

  return (
    <>
      <Button writes kind="quiet" onClick={() => open(true)}>
        {w.people.merge}
      </Button>
      {isOpen && (
        <Dialog title={w.people.mergeTitle(line(person.name, 80))} onClose={() => open(false)}>
          <Form onSubmit={() => void run(merge)}>
            <Field label={w.people.mergeInto} hint={w.people.mergeAbout}>
              {(id, hint) => <input id={id} aria-describedby={hint} value={into} maxLength={200} onInput={(event) => write(event.currentTarget.value)} />}
            </Field>
            {error && <Trouble error={error} />}
            <div class="actions">
              <Button submit kind="primary" disabled={!into.trim()}>
                {w.people.mergeDo}
              </Button>
              <Cancel onCancel={() => open(false)} />
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}

function Split({ path, again }: { path: string; again: () => void }) {
  const { error, run } = useWork();

  async function split(): Promise<void> {
    await post(`${path}/split`);
    say(w.people.splitDone);
    again();
  }

  return (
    <>
      <Button writes kind="quiet" icon="undo" onClick={() => void run(split)}>
        {w.people.split}
      </Button>
      {error && <Trouble error={error} />}
    </>
  );
}
