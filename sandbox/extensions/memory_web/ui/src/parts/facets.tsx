/** What narrows the list of what is known. */

import { useState } from "preact/hooks";
import { useAnswer } from "../loading";
import { changed, go, type Route } from "../route";
import type { Counts } from "../types";
import { called, w } from "../words";
import { Field, Select, Tag, Trouble } from "./basics";
import { ProjectField } from "./limits";
import { line } from "./text";

const FACETS = 12; // values, before more are asked for
const TRUSTS = ["confirmed", "user", "assistant", "tool", "web"];
const AGES: Record<string, number> = { week: 7, month: 30, year: 365 };
const STATES = ["live", "quarantined", "retired", "forgotten"];
export const ORDERS = ["oldest", "most_used", "fading_first"];

/** What the address asks for, as the list of memories takes it. What the server does not know is left out. */
export function filters({ query }: Route) {
  const one = (name: string, known: string[]) => known.find((each) => each === query.get(name)) ?? null;
  const days = AGES[one("age", Object.keys(AGES)) ?? ""];
  const state = one("state", STATES);
  return {
    category: query.get("category"),
    subject: query.get("subject"),
    type: one("type", ["semantic", "procedural", "opinion"]),
    trusted_as: one("trust", TRUSTS),
    pinned: query.get("pinned") === "1" || null,
    created_after: days ? since(days) : null,
    state,
    history: query.get("history") === "1" && !state,
  };
}

/** The beginning of a day: it stays the same while somebody looks. */
function since(days: number): string {
  const at = new Date();
  at.setHours(0, 0, 0, 0);
  at.setDate(at.getDate() - days);
  return at.toISOString();
}

/** Filters with live counts; what is chosen stands in the address. */
export function Facets({ route }: { route: Route }) {
  const asked = filters(route);
  const { category, subject, type, trusted_as: trust, history, state } = asked;
  const everything = useAnswer<Counts>("/counts", { ...asked, type: null });
  const isNarrow = matchMedia("(max-width: 899px)").matches;
  const counts = everything.data;
  const active = Object.values(asked).filter(Boolean).length;
  const set = (name: string, value: string | null) => go(changed(route, { [name]: value }));
  return (
    <details class="facets" open={!isNarrow}>
      <summary>
        {w.known.filters}
        {active > 0 && <Tag>{active}</Tag>}
      </summary>
      {everything.error && <Trouble error={everything.error} again={everything.again} />}
      {counts && (
        <>
          <Facet title={w.known.category} name="category" chosen={category} counts={counts.category} route={route} called={(name) => called(w.category, name)} />
          <Facet title={w.known.subject} name="subject" chosen={subject} counts={counts.subject} route={route} called={(name) => name} />
          <Facet title={w.known.type} name="type" chosen={type} counts={counts.type} route={route} called={(name) => called(w.kind, name)} />
          <Facet title={w.trust.label} name="trust" chosen={trust} counts={counts.trust} route={route} called={(name) => called(w.trust, name)} />
        </>
      )}
      <div class="facet-fields">
        <Choose label={w.known.age} value={route.query.get("age")} names={w.known.ages} onChoose={(value) => set("age", value)} />
        <Choose label={w.known.state} value={state} names={w.known.states} onChoose={(value) => set("state", value)} />
        <Choose label={w.known.order} value={route.query.get("order")} names={w.known.orders} onChoose={(value) => set("order", value)} />
        <ProjectField />
      </div>
      <label class="tick">
        <input type="checkbox" checked={asked.pinned === true} onChange={(event) => set("pinned", event.currentTarget.checked ? "1" : null)} />
        {w.known.pinned}
      </label>
      {!state && (
        <label class="tick">
          <input type="checkbox" checked={history} onChange={(event) => set("history", event.currentTarget.checked ? "1" : null)} />
          {w.known.history}
        </label>
      )}
    </details>
  );
}

/** One of some, named by a dictionary; the empty name is that of none. */
function Choose({ label, value, names, onChoose }: { label: string; value: string | null; names: Record<string, string>; onChoose: (value: string) => void }) {
  return (
    <Field label={label}>
      {(id) => <Select id={id} value={value && Object.hasOwn(names, value) ? value : ""} options={Object.entries(names)} onChoose={onChoose} />}
    </Field>
  );
}

interface FacetProps {
  title: string;
  name: string;
  chosen: string | null;
  counts: Record<string, number>;
  route: Route;
  called: (name: string) => string;
}

function Facet({ title, name, chosen, counts, route, called }: FacetProps) {
  const [all, showAll] = useState(false);
  const entries = Object.entries(counts);
  const shown = all ? entries.slice(0, 500) : entries.slice(0, FACETS);
  if (chosen !== null && !shown.some(([value]) => value === chosen)) shown.unshift([chosen, counts[chosen] ?? 0]);
  if (shown.length === 0) return null;
  return (
    <fieldset class="facet">
      <legend>{title}</legend>
      <ul>
        {shown.map(([value, count]) => (
          <li key={value}>
            <a
              href={changed(route, { [name]: value === chosen ? null : value })}
              aria-current={value === chosen ? "true" : undefined}
              class={value === chosen ? "is-chosen" : ""}
            >
              <span dir="auto">{line(called(value), 60)}</span> <span class="count">{count.toLocaleString()}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <button type="button" class="link" onClick={() => showAll(true)}>
          {w.action.more}
        </button>
      )}
    </fieldset>
  );
}
