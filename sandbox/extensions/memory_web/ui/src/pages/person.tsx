/** A person, project, place or thing: what is known of it, and how it stands to others. */

import { lazy, Suspense } from "../parts/lazy";
import { useMemo, useState } from "preact/hooks";
import { get, post, Problem, useLoaded } from "../api";
import { changes } from "../live";
import { Button, Dialog, Field, Loading, Missing, say, Table, Tag, Title, Trouble, useFolded, Waiting } from "../parts/basics";
import { Marks, MemoryLink } from "../parts/memories";
import { line, Text } from "../parts/text";
import { changed, go, to, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { EntityProfile, Joined, Neighbourhood, Relation } from "../types";
import { UNKNOWN } from "../types";
import { called, moment, shortDay, useWords } from "../words";

const REACH = [1, 2, 3];
const TOGETHER = "-"; // the relation of two that memories mention together
const FOLDED = 12; // lines, before more are asked for
const Graph = lazy(() => import("../graph/graph"));

export function PersonPage({ id }: { id: string }) {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const path = `/entities/${encodeURIComponent(id)}`;
  const { data, error, again } = useLoaded((signal) => get<EntityProfile>(path, {}, signal), [path, mine], version);
  if (error instanceof Problem && error.status === 404) {
    return (
      <Missing title={w.people.title} hint={w.people.unknown}>
        <a href={to("people")}>{w.nav.people}</a>
      </Missing>
    );
  }
  if (error || !data) return <Waiting title={w.nav.people} error={error} again={again} />;
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
      {data.summary && <Text serif>{data.summary}</Text>}
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
  const w = useWords();
  const others = Object.entries(person.namesakes);
  return (
    <dl class="facts names">
      {person.aliases.length > 0 && (
        <div>
          <dt>{w.people.aliases}</dt>
          <dd>{person.aliases.map((each) => line(each, 80)).join(", ")}</dd>
        </div>
      )}
      {person.merged.length > 0 && (
        <div>
          <dt>{w.people.merged}</dt>
          <dd>{person.merged.map((each) => line(each, 80)).join(", ")}</dd>
        </div>
      )}
      {others.length > 0 && (
        <div>
          <dt>{w.people.namesakes}</dt>
          <dd>
            {others.map(([id, name]) => (
              <a key={id} href={to("people", id)}>
                {line(name, 80)}
              </a>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Facts({ person }: { person: EntityProfile }) {
  const w = useWords();
  const [shown, more] = useFolded(person.facts, FOLDED);
  if (person.facts.length === 0) return null;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{w.people.facts}</h2>
      <ul class="rows">
        {shown.map((each) => (
          <li class="row" key={each.id}>
            <MemoryLink memory={each} />
            <span class="row-marks">
              <Marks memory={each} />
              <time dateTime={each.valid_from}>{shortDay(each.valid_from)}</time>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function Said({ person }: { person: EntityProfile }) {
  const w = useWords();
  const [shown, more] = useFolded(person.timeline, FOLDED);
  if (person.timeline.length === 0) return null;
  return (
    <section aria-labelledby="said">
      <h2 id="said">{w.people.timeline}</h2>
      <ul class="rows">
        {shown.map((each) => (
          <li class="row" key={each.id}>
            <a class="memory-link" dir="auto" href={each.session ? to("talks", each.session, { turn: each.id }) : to("memory", each.id)}>
              {line(each.content)}
            </a>
            <span class="row-marks">
              {each.speaker && <Tag tone="quiet">{line(each.speaker, 40)}</Tag>}
              <time dateTime={each.event_time}>{moment(each.event_time)}</time>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function Relations({ relations }: { relations: Relation[] }) {
  const w = useWords();
  const [shown, more] = useFolded(relations, FOLDED);
  return (
    <section aria-labelledby="relations">
      <h2 id="relations">{w.people.relations}</h2>
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
    </section>
  );
}

function Near({ path, centre }: { path: string; centre: string }) {
  const w = useWords();
  const route = useRoute();
  const mine = useStore(whose);
  const version = useStore(changes);
  const asked = Number(route.query.get("reach"));
  const hops = REACH.includes(asked) ? asked : 1;
  const day = route.query.get("on");
  const relation = route.query.get("by") ?? "";
  const as_of = day && /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T23:59:59`).toISOString() : null;
  const { data, error, again } = useLoaded(
    (signal) => get<Neighbourhood>(`${path}/neighbourhood`, { hops, limit: 2_000, as_of }, signal),
    [path, hops, as_of, mine],
    version,
  );
  const near = useMemo(() => data && joinedBy(data, relation), [data, relation]);
  const relations = [...new Set([...(data?.edges.map(({ predicate }) => predicate ?? TOGETHER) ?? []), relation])].filter(Boolean);
  const narrow = (filter: string, value: string) => go(changed(route, { [filter]: value || null }), { replace: true });
  const isUnknown = error instanceof Problem && error.status === 404;
  return (
    <section aria-labelledby="near">
      <div class="section-head">
        <h2 id="near">{w.people.graph}</h2>
        <label>
          {w.people.joinedBy}{" "}
          <select value={relation} onChange={(event) => narrow("by", event.currentTarget.value)}>
            <option value="">{w.people.anything}</option>
            {relations.sort().map((each) => (
              <option key={each} value={each}>
                {each === TOGETHER ? w.people.anyTogether : called(w.predicate, each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.people.asOf} <input type="date" value={day ?? ""} onChange={(event) => narrow("on", event.currentTarget.value)} />
        </label>
        <label>
          {w.people.hops}{" "}
          <select value={hops} onChange={(event) => go(changed(route, { reach: event.currentTarget.value }), { replace: true })}>
            {REACH.map((each) => (
              <option key={each} value={each}>
                {w.people.hop(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error && !isUnknown && <Trouble error={error} again={again} />}
      {!near && !error && <Loading />}
      {(isUnknown || near?.edges.length === 0) && <p class="hint">{w.people.alone}</p>}
      {near && !isUnknown && near.edges.length > 0 && (
        <>
          <p class="hint">{w.people.graphAbout}</p>
          <Suspense fallback={<Loading />}>
            <Graph near={near} />
          </Suspense>
          <NearTable near={near} centre={centre} />
        </>
      )}
    </section>
  );
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
  const w = useWords();
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
function Claimed({ claim }: { claim: Relation | Joined }) {
  const w = useWords();
  return (
    <a href={to("memory", claim.id)}>
      {!claim.is_affirmed && `${w.memory.not} `}
      {claim.predicate === null && "memories" in claim ? w.people.together(claim.memories) : line(called(w.predicate, claim.predicate ?? ""), 60)}
    </a>
  );
}

function Merge({ person, again }: { person: EntityProfile; again: () => void }) {
  const w = useWords();
  const [isOpen, open] = useState(false);
  const [into, write] = useState("");
  const [error, fail] = useState<Error | null>(null);

  async function merge(): Promise<void> {
    try {
      const whole = await post<EntityProfile>(`/entities/${encodeURIComponent(person.id)}/merge`, { into: into.trim() });
      open(false);
      say(w.people.mergeDone, () => void post(`/entities/${encodeURIComponent(whole.id)}/split`).then(again));
      go(to("people", whole.id));
    } catch (problem) {
      fail(problem as Error);
    }
  }

  return (
    <>
      <Button writes kind="quiet" onClick={() => open(true)}>
        {w.people.merge}
      </Button>
      {isOpen && (
        <Dialog title={w.people.mergeTitle(line(person.name, 80))} onClose={() => open(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void merge();
            }}
          >
            <Field label={w.people.mergeInto} hint={w.people.mergeAbout}>
              {(id, hint) => <input id={id} aria-describedby={hint} value={into} maxLength={200} onInput={(event) => write(event.currentTarget.value)} />}
            </Field>
            {error && <Trouble error={error} />}
            <div class="actions">
              <Button submit kind="primary" disabled={!into.trim()}>
                {w.people.mergeDo}
              </Button>
              <Button kind="quiet" onClick={() => open(false)}>
                {w.action.cancel}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

function Split({ path, again }: { path: string; again: () => void }) {
  const w = useWords();
  const [error, fail] = useState<Error | null>(null);
  return (
    <>
      <Button
        writes
        kind="quiet"
        icon="undo"
        onClick={() =>
          void post(`${path}/split`).then(() => {
            say(w.people.splitDone);
            again();
          }, fail)
        }
      >
        {w.people.split}
      </Button>
      {error && <Trouble error={error} />}
    </>
  );
}
