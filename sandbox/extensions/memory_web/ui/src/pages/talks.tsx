/** Conversations by day, and what was said in any of them. */

import { post } from "../api";
import { useLoaded, usePages } from "../loading";
import { Awaited, Empty, Tag, Title } from "../parts/basics";
import { ProjectField } from "../parts/limits";
import { TurnRow } from "../parts/memories";
import { SearchForm } from "../parts/search";
import { line } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { to, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Hit, Session } from "../types";
import { clock, localDay, w, weekday } from "../words";

const FOUND = 50;

export function TalksPage() {
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
  const mine = useStore(whose);
  const found = useLoaded(
    (signal) => post<{ results: Hit[] }>("/search", { query, limit: FOUND, types: ["episodic"], reinforce: false }, {}, signal),
    [query, mine],
  );
  if (found.error || !found.data) return <Awaited of={found} />;
  if (found.data.results.length === 0) return <Empty title={w.talks.noMatch} />;
  return (
    <ul class="rows" aria-label={w.talks.list}>
      {found.data.results.map((hit) => (
        <TurnRow key={hit.id} turn={hit} />
      ))}
    </ul>
  );
}

function ByDay() {
  const mine = useStore(whose);
  const listed = usePages("/sessions", {}, ({ sessions }: { sessions: Session[]; next: string | null }) => sessions);
  if (listed.error || !listed.data) return <Awaited of={listed} />;
  const sessions = listed.data.items;
  if (sessions.length === 0) return <Empty title={w.talks.none}>{w.talks.noneHint}</Empty>;
  return (
    <VirtualList
      count={sessions.length}
      estimate={72}
      label={w.talks.title}
      onEnd={listed.more}
      row={(index, isActive) => {
        const session = sessions[index]!;
        const before = sessions[index - 1];
        const startsDay = !before || localDay(new Date(before.last)) !== localDay(new Date(session.last));
        return (
          <>
            {startsDay && <h2 class="day">{weekday(session.last)}</h2>}
            <div class="list-row session-row">
              <a href={to("talks", session.id)} tabIndex={isActive ? 0 : -1} class="list-text" dir="auto">
                {line(session.opening || session.id, 160)}
              </a>
              <span class="list-marks">
                <span>
                  {clock(session.first)}
                  {session.first !== session.last && `–${clock(session.last)}`}
                </span>
                {session.waits && <Tag tone="warn">{w.talks.waits}</Tag>}
                {session.source !== "conversation" && <Tag tone="quiet">{line(session.source, 40)}</Tag>}
                {mine.all_projects && session.project && <Tag tone="quiet">{line(session.project, 40)}</Tag>}
                <span>{w.talks.turns(session.turns)}</span>
              </span>
            </div>
          </>
        );
      }}
    />
  );
}
