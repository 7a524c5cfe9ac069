/** Everything that is known, by what it is: filters stand in the address, counts are live. */

import { useEffect, useState } from "preact/hooks";
import { isReadOnly, post } from "../api";
import { useCurrent, usePages } from "../loading";
import { Awaited, Button, Cancel, Dialog, Empty, say, Title, Trouble, useWork } from "../parts/basics";
import { Facets, filters, ORDERS } from "../parts/facets";
import { forget, Marks, restore, Teller } from "../parts/memories";
import { SearchForm } from "../parts/search";
import { line } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { to, useRoute, type Route } from "../route";
import { useStore } from "../store";
import type { Hit, Memory, MemoryList } from "../types";
import { dayOf, w } from "../words";

const FOUND = 100; // a search brings the best; who wants more asks better

interface Row extends Memory {
  at: string;
  told: string | null;
}

export function KnownPage() {
  const route = useRoute();
  const query = route.query.get("q") ?? "";
  return (
    <div class="known">
      <Title about={w.known.about}>{w.known.title}</Title>
      <SearchForm key={query} route={route} label={w.known.search} hint={w.known.searchHint} />
      <Teller />
      <div class="known-columns">
        <Facets route={route} />
        {query ? <Found route={route} query={query} /> : <Listed route={route} />}
      </div>
    </div>
  );
}

function Listed({ route }: { route: Route }) {
  const asked = filters(route);
  const order = ORDERS.find((each) => each === route.query.get("order"));
  const listed = usePages("/memory/", { ...asked, order }, ({ memories }: MemoryList) =>
    memories.map((each): Row => ({ ...each, at: each.event_time })),
  );
  if (listed.error || !listed.data) return <Awaited of={listed} />;
  const { items, last } = listed.data;
  if (items.length === 0) {
    const isNarrowed = Object.values(asked).some(Boolean);
    return <Empty title={isNarrowed ? w.known.noMatch : w.known.none}>{isNarrowed ? <a href={to("known")}>{w.action.clear}</a> : w.known.noneHint}</Empty>;
  }
  return <Rows rows={items} told={w.known.count(last.total)} onEnd={listed.more} />;
}

function Found({ route, query }: { route: Route; query: string }) {
  const { category, type, trusted_as, history, ...rest } = filters(route);
  const wanted = { ...rest, category: category ? [category] : null, trusted_as: trusted_as ? [trusted_as] : null };
  const types = type ? [type] : ["semantic", "procedural", "opinion"];
  const asked = { query, limit: FOUND, types, history, where: wanted, reinforce: false };
  const found = useCurrent((signal) => post<{ results: Hit[] }>("/search", asked, {}, signal), [asked]);
  if (found.error || !found.data) return <Awaited of={found} />;
  const rows = found.data.results.map((hit) => ({ ...hit, at: hit.event_time }));
  if (rows.length === 0) return <Empty title={w.known.noMatch} />;
  return <Rows rows={rows} told={w.known.found(rows.length)} />;
}

function Rows({ rows, told, onEnd }: { rows: Row[]; told: string; onEnd?: () => void }) {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, ask] = useState(false);
  const isFixed = useStore(isReadOnly);
  useEffect(() => choose((old) => new Set(rows.map((each) => each.id).filter((id) => old.has(id)))), [rows]);

  function toggle(id: string): void {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  }

  return (
    <div class="list-side">
      <div class="list-head">
        <span role="status">{told}</span>
        {chosen.size > 0 ? (
          <>
            <span>{w.known.selected(chosen.size)}</span>
            <Button kind="danger" icon="trash" onClick={() => ask(true)}>
              {w.action.forget}
            </Button>
            <Button kind="quiet" onClick={() => choose(new Set())}>
              {w.action.clear}
            </Button>
          </>
        ) : (
          <kbd class="keys">{isFixed ? w.known.keysFixed : w.known.keys}</kbd>
        )}
      </div>
      <VirtualList
        count={rows.length}
        estimate={76}
        label={w.known.list}
        onEnd={onEnd}
        onSpace={(index) => rows[index] && !isFixed && toggle(rows[index].id)}
        row={(index, isActive) => {
          const memory = rows[index]!;
          return (
            <div class={`list-row ${chosen.has(memory.id) ? "is-chosen" : ""}`}>
              {!isFixed && (
                <input
                  type="checkbox"
                  checked={chosen.has(memory.id)}
                  aria-label={w.known.select(line(memory.content, 80))}
                  tabIndex={isActive ? 0 : -1}
                  onChange={() => toggle(memory.id)}
                />
              )}
              <a href={to("memory", memory.id)} tabIndex={isActive ? 0 : -1} class="list-text" dir="auto">
                {line(memory.content, 240)}
              </a>
              <span class="list-marks">
                <Marks memory={memory} />
                <time dateTime={memory.at}>{dayOf(memory.told, memory.at)}</time>
              </span>
            </div>
          );
        }}
      />
      {isAsking && <ForgetDialog rows={rows.filter((each) => chosen.has(each.id))} onClose={() => ask(false)} onDone={() => choose(new Set())} />}
    </div>
  );
}

function ForgetDialog({ rows, onClose, onDone }: { rows: Row[]; onClose: () => void; onDone: () => void }) {
  const { error, isBusy, run } = useWork();

  async function forgetAll(): Promise<void> {
    const done: string[] = [];
    await run(async () => {
      for (const each of rows) {
        await forget(each.id, { quietly: true });
        done.push(each.id);
      }
      onDone();
      onClose();
    });
    if (done.length > 0) {
      say(w.known.forgotten(done.length), () => void Promise.all(done.map((id) => restore(id, { quietly: true }))));
    }
  }

  return (
    <Dialog title={w.known.forgetAll(rows.length)} onClose={onClose}>
      <ul class="preview" tabIndex={0} aria-label={w.known.list}>
        {rows.map((each) => (
          <li key={each.id} dir="auto">
            {line(each.content, 160)}
          </li>
        ))}
      </ul>
      <p class="hint">{w.known.forgetAbout(rows.length)}</p>
      {error && <Trouble error={error} />}
      <div class="actions">
        <Button kind="danger" icon="trash" disabled={isBusy} onClick={() => void forgetAll()}>
          {w.action.forget}
        </Button>
        <Cancel onCancel={onClose} />
      </div>
    </Dialog>
  );
}
