/** Conversations by day, and what was said in any of them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, isPassing, post, useLoaded } from "../api";
import { changes } from "../live";
import { Empty, Loading, Tag, Title, Trouble } from "../parts/basics";
import { ProjectField } from "../parts/limits";
import { SearchForm } from "../parts/search";
import { line } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { to, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Hit, Session, Turns } from "../types";
import { clock, localDay, moment, useWords, weekday } from "../words";

const PAGE = 200;
const FOUND = 50;

export function TalksPage() {
  const w = useWords();
  const route = useRoute();
  const query = route.query.get("q") ?? "";
  return (
    <div class="talks">
      <Title about={w.talks.about}>{w.talks.title}</Title>
      <SearchForm key={query} route={route} label={w.talks.search} hint={w.talks.search} />
      <div class="talks-project">
        <ProjectField />
      </div>
      {query ? <Found query={query} /> : <ByDay />}
    </div>
  );
}

function Found({ query }: { query: string }) {
  const w = useWords();
  const mine = useStore(whose);
  const { data, error, again } = useLoaded(
    (signal) => post<{ results: Hit[] }>("/search", { query, limit: FOUND, types: ["episodic"], reinforce: false }, {}, signal),
    [query, mine],
  );
  if (error) return <Trouble error={error} again={again} />;
  if (!data) return <Loading />;
  if (data.results.length === 0) return <Empty title={w.talks.noMatch} />;
  return (
    <ul class="rows" aria-label={w.talks.list}>
      {data.results.map((hit) => (
        <li class="row" key={hit.id}>
          <a class="memory-link" dir="auto" href={hit.session ? to("talks", hit.session, { turn: hit.id }) : to("memory", hit.id)}>
            {line(hit.content)}
          </a>
          <span class="row-marks">
            {hit.speaker && <Tag tone="quiet">{line(hit.speaker, 40)}</Tag>}
            <time dateTime={hit.event_time}>{moment(hit.event_time)}</time>
          </span>
        </li>
      ))}
    </ul>
  );
}

function ByDay() {
  const w = useWords();
  const mine = useStore(whose);
  const version = useStore(changes);
  const about = JSON.stringify(mine);
  const [sessions, show] = useState<Session[] | null>(null);
  const [error, fail] = useState<Error | null>(null);
  const next = useRef<string | null>(null);
  const busy = useRef(false);

  async function load(cursor: string | null): Promise<void> {
    busy.current = true;
    try {
      const page = await get<{ sessions: Session[]; next: string | null }>("/sessions", { cursor, limit: PAGE });
      next.current = page.next;
      show((old) => {
        const before = cursor === null || !old ? [] : old;
        const known = new Set(before.map((each) => each.id));
        return [...before, ...page.sessions.filter((each) => !known.has(each.id))];
      });
      fail(null);
    } catch (problem) {
      if (!isPassing(problem)) fail(problem as Error);
    } finally {
      busy.current = false;
    }
  }

  useEffect(() => void load(null), [about, version]);

  if (error) return <Trouble error={error} again={() => void load(null)} />;
  if (!sessions) return <Loading />;
  if (sessions.length === 0) return <Empty title={w.talks.none}>{w.talks.noneHint}</Empty>;
  return (
    <VirtualList
      count={sessions.length}
      estimate={72}
      label={w.talks.title}
      onRange={(_, last) => {
        if (last >= sessions.length - 20 && next.current && !busy.current) void load(next.current);
      }}
      row={(index, isActive) => {
        const session = sessions[index]!;
        const before = sessions[index - 1];
        const startsDay = !before || localDay(new Date(before.last)) !== localDay(new Date(session.last));
        return (
          <>
            {startsDay && <h2 class="day">{weekday(session.last)}</h2>}
            <div class="list-row session-row">
              <a href={to("talks", session.id)} tabIndex={isActive ? 0 : -1} class="list-text" dir="auto">
                <Beginning session={session} />
              </a>
              <span class="list-marks">
                <span>
                  {clock(session.first)}
                  {session.first !== session.last && `–${clock(session.last)}`}
                </span>
                {session.waits && <Tag tone="warn">{w.talks.waits}</Tag>}
                {session.source !== "conversation" && <Tag tone="quiet">{line(session.source, 40)}</Tag>}
                <span>{w.talks.turns(session.turns)}</span>
              </span>
            </div>
          </>
        );
      }}
    />
  );
}

const beginnings = new Map<string, Promise<string>>();

/** The first words of a conversation, by which people know it again. */
function Beginning({ session }: { session: Session }) {
  const mine = useStore(whose);
  const key = JSON.stringify([mine, session.id, session.first]);
  const { data, error } = useLoaded(() => {
    const known =
      beginnings.get(key) ??
      get<Turns>(`/sessions/${encodeURIComponent(session.id)}/turns`, { limit: 1 }).then((found) => found.turns[0]?.turn.content ?? "");
    beginnings.set(key, known);
    known.catch(() => beginnings.delete(key));
    return known;
  }, [key]);
  if (data === null && !error) return <span class="is-awaited">…</span>;
  return <>{line(data || session.id, 160)}</>;
}
