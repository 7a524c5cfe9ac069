/** Who the user is, and everybody and everything that is known by name. */

import { useEffect } from "preact/hooks";
import { useAnswer, usePages } from "../loading";
import { Awaited, Empty, Form, Section, Select, Tag, Title } from "../parts/basics";
import { line } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { changed, go, to, useRoute } from "../route";
import type { Entity } from "../types";
import { UNKNOWN } from "../types";
import { called, shortDay, w } from "../words";

interface Value {
  value: string;
  id: string;
}

type Profile = Record<string, Value | Value[] | null>;

const FEW = 50; // names, of which a filter wants more

export function PeoplePage() {
  const route = useRoute();
  const listed = usePages("/entities", {}, ({ items }: { items: Entity[]; next: string | null }) => items);
  const name = route.query.get("q") ?? "";
  const type = route.query.get("type") ?? "";
  const entities = listed.data?.items ?? [];
  const wanted = name.toLocaleLowerCase();
  const shown = entities.filter((each) => (!type || each.type === type) && each.name.toLocaleLowerCase().includes(wanted));
  useEffect(() => {
    if (shown.length < FEW) listed.more();
  }, [shown.length, listed.data]);
  const kinds = [...new Set(entities.map((each) => each.type))].sort();
  const named = (kind: string) => (kind === UNKNOWN ? w.people.otherKind : called(w.entityKind, kind));

  return (
    <div class="people">
      <Title about={w.people.about}>{w.people.title}</Title>
      <You />
      <Form kind="search" role="search" onSubmit={() => name.trim() && go(to("people", shown[0]?.id ?? name.trim()))}>
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
        <Select
          label={w.people.type}
          value={type}
          options={[["", `${w.people.type}: ${w.known.all}`], ...kinds.map((kind): [string, string] => [kind, named(kind)])]}
          onChoose={(kind) => go(changed(route, { type: kind }), { replace: true })}
        />
      </Form>
      <Awaited of={listed} />
      {listed.data && shown.length === 0 && <Empty title={entities.length > 0 ? w.people.noMatch : w.people.none} />}
      {shown.length > 0 && (
        <VirtualList
          count={shown.length}
          estimate={64}
          label={w.people.list}
          onEnd={listed.more}
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
  const { data } = useAnswer<Profile>("/profile");
  const rows = Object.entries(data ?? {}).flatMap(([field, found]) => {
    const values = found === null ? [] : Array.isArray(found) ? found : [found];
    return values.length > 0 ? [{ field, values }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Section id="you" title={w.people.you} kind="you">
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
    </Section>
  );
}
