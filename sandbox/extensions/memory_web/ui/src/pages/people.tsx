/** Who the user is, and everybody and everything that is known by name. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, isPassing, useLoaded } from "../api";
import { changes } from "../live";
import { Empty, Loading, Tag, Title, Trouble } from "../parts/basics";
import { line } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { changed, go, to, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Entity } from "../types";
import { UNKNOWN } from "../types";
import { called, shortDay, useWords } from "../words";

interface Value {
  value: string;
  id: string;
}

type Profile = Record<string, Value | Value[] | null>;

const PAGE = 200;

export function PeoplePage() {
  const w = useWords();
  const route = useRoute();
  const mine = useStore(whose);
  const version = useStore(changes);
  const [entities, show] = useState<Entity[] | null>(null);
  const [error, fail] = useState<Error | null>(null);
  const next = useRef<string | null>(null);
  const busy = useRef(false);
  const name = route.query.get("q") ?? "";
  const type = route.query.get("type") ?? "";

  async function load(cursor: string | null): Promise<void> {
    busy.current = true;
    try {
      const page = await get<{ items: Entity[]; next: string | null }>("/entities", { cursor, limit: PAGE });
      next.current = page.next;
      show((old) => (cursor === null || !old ? page.items : [...old, ...page.items]));
      fail(null);
    } catch (problem) {
      if (!isPassing(problem)) fail(problem as Error);
    } finally {
      busy.current = false;
    }
  }

  useEffect(() => void load(null), [mine, version]);

  const wanted = name.toLocaleLowerCase();
  const shown = (entities ?? []).filter((each) => (!type || each.type === type) && each.name.toLocaleLowerCase().includes(wanted));
  useEffect(() => {
    if (shown.length < PAGE / 4 && next.current && !busy.current) void load(next.current); // a filter wants more
  }, [shown.length, entities]);
  const kinds = [...new Set((entities ?? []).map((each) => each.type))].sort();

  return (
    <div class="people">
      <Title about={w.people.about}>{w.people.title}</Title>
      <You />
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) go(to("people", shown[0]?.id ?? name.trim()));
        }}
      >
        <label for="find" class="visually-hidden">
          {w.people.find}
        </label>
        <input
          id="find"
          type="search"
          dir="auto"
          placeholder={w.people.find}
          value={name}
          onInput={(event) => go(changed(route, { q: event.currentTarget.value }), { replace: true })}
        />
        <label for="kind" class="visually-hidden">
          {w.people.type}
        </label>
        <select id="kind" value={type} onChange={(event) => go(changed(route, { type: event.currentTarget.value }), { replace: true })}>
          <option value="">
            {w.people.type}: {w.known.all}
          </option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kind === UNKNOWN ? w.people.otherKind : called(w.entityKind, kind)}
            </option>
          ))}
        </select>
      </form>
      {error && <Trouble error={error} again={() => void load(null)} />}
      {!entities && !error && <Loading />}
      {entities?.length === 0 && <Empty title={w.people.none} />}
      {entities && entities.length > 0 && shown.length === 0 && <Empty title={w.people.noMatch} />}
      {shown.length > 0 && (
        <VirtualList
          count={shown.length}
          estimate={64}
          label={w.people.list}
          onRange={(_, last) => {
            if (last >= shown.length - 20 && next.current && !busy.current) void load(next.current);
          }}
          row={(index, isActive) => {
            const entity = shown[index]!;
            return (
              <div class="list-row">
                <a href={to("people", entity.id)} tabIndex={isActive ? 0 : -1} class="list-text" dir="auto">
                  {line(entity.name, 120)}
                </a>
                <span class="list-marks">
                  {entity.type !== UNKNOWN && <Tag tone="quiet">{called(w.entityKind, entity.type)}</Tag>}
                  <span>{w.people.mentions(entity.mentions)}</span>
                  <time dateTime={entity.last_seen}>{shortDay(entity.last_seen)}</time>
                </span>
              </div>
            );
          }}
        />
      )}
    </div>
  );
}

function You() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const { data } = useLoaded((signal) => get<Profile>("/profile", {}, signal), [mine], version);
  const rows = Object.entries(data ?? {}).flatMap(([field, found]) => {
    const values = found === null ? [] : Array.isArray(found) ? found : [found];
    return values.length > 0 ? [{ field, values }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <section class="you" aria-labelledby="you">
      <h2 id="you">{w.people.you}</h2>
      <dl class="facts">
        {rows.map(({ field, values }) => (
          <div key={field}>
            <dt>{called(w.people.field, field)}</dt>
            {values.map((each) => (
              <dd key={each.id + each.value}>
                <a href={to("memory", each.id)} dir="auto">
                  {line(each.value, 120)}
                </a>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
