/** One conversation, turn by turn, with what was learnt from each; it can be learnt from again, and erased. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask, get, post, Problem } from "../api";
import { changes } from "../live";
import { isPassing } from "../loading";
import { Button, Cancel, Dialog, Empty, say, Tag, Title, Trouble, useWork, Waiting } from "../parts/basics";
import { isOver } from "../parts/memories";
import { line, Text } from "../parts/text";
import { VirtualList } from "../parts/virtual";
import { go, to, useRoute, type Query } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import type { Erasure, Learning, PassedOver, TurnWithKnowledge, Turns } from "../types";
import { called, clock, moment, w, weekday } from "../words";

const PAGE = 50;
const MASKED = /\[secret: [^\][]{1,40}\]/;

export function TalkPage({ id }: { id: string }) {
  const route = useRoute();
  const mine = useStore(whose);
  const version = useStore(changes);
  const turn = route.query.get("turn");
  const path = `/sessions/${encodeURIComponent(id)}`;
  const [total, count] = useState<number | null>(null);
  const [start, begin] = useState<number | undefined>();
  const [error, fail] = useState<Error | null>(null);
  const turns = useRef(new Map<number, TurnWithKnowledge>());
  const asked = useRef(new Set<number>());
  const passed = useRef(new Map<string, string[]>());
  const [, redraw] = useState(0);

  const load = useCallback(
    async (page: number | null): Promise<void> => {
      if (page !== null && asked.current.has(page)) return;
      if (page !== null) asked.current.add(page);
      try {
        const where = page === null ? { around: turn } : { offset: page * PAGE };
        const found = await get<Turns>(`${path}/turns`, { ...where, limit: PAGE });
        found.turns.forEach((said, index) => turns.current.set(found.offset + index, said));
        if (page === null) {
          const place = found.turns.findIndex((said) => said.turn.id === turn);
          begin(place < 0 ? undefined : found.offset + place);
        }
        count(found.total);
        redraw((old) => old + 1);
        fail(null);
        const over = await get<PassedOver[]>(`${path}/passed_over`, { offset: found.offset, limit: PAGE, ...within(found.turns[0]) });
        found.turns.forEach((said) => passed.current.delete(said.turn.id));
        over.forEach((each) => passed.current.set(each.id, each.reasons));
        redraw((old) => old + 1);
      } catch (problem) {
        if (page !== null) asked.current.delete(page);
        if (problem instanceof Problem && problem.status === 404) return count(0);
        if (!isPassing(problem)) fail(problem as Error);
      }
    },
    [path, turn, mine],
  );

  useEffect(() => {
    asked.current.clear();
    void load(turn ? null : 0);
  }, [load, version]);

  if (total === null) return <Waiting title={w.nav.talks} of={{ data: total, error, again: () => void load(turn ? null : 0) }} />;
  const first = turns.current.get(0) ?? [...turns.current.values()][0];
  return (
    <div class="talk">
      <p class="crumb">
        <a href={to("talks")}>{w.nav.talks}</a>
      </p>
      <Title>{first ? weekday(first.turn.event_time) : w.nav.talks}</Title>
      <div class="talk-head">
        <span class="session-id">{line(id, 80)}</span>
        <span>{w.talks.turns(total)}</span>
        {total > 0 && <Learn path={path} query={within(first)} />}
        {total > 0 && <Erase path={path} query={within(first)} />}
      </div>
      {total === 0 ? (
        <Empty title={w.talks.gone}>{w.talks.goneHint}</Empty>
      ) : (
        <VirtualList
          count={total}
          estimate={120}
          label={w.talks.list}
          start={start}
          onRange={(from, last) => {
            for (let page = Math.floor(from / PAGE); page <= Math.floor(last / PAGE); page += 1) {
              const isThere = [page * PAGE, Math.min(total, (page + 1) * PAGE) - 1].every((at) => turns.current.has(at));
              if (!isThere) void load(page);
            }
          }}
          row={(index, isActive) => {
            const said = turns.current.get(index);
            const before = turns.current.get(index - 1);
            return said ? <Turn said={said} passed={passed.current.get(said.turn.id)} before={before} isMeant={said.turn.id === turn} isActive={isActive} /> : <div class="turn is-awaited">…</div>;
          }}
        />
      )}
    </div>
  );
}

/** The project of a turn, where those of all projects are shown: a change names one. */
function within(said: TurnWithKnowledge | undefined): Query {
  return said?.turn.project ? { project: said.turn.project, all_projects: null } : {};
}

interface TurnProps {
  said: TurnWithKnowledge;
  passed: string[] | undefined;
  before: TurnWithKnowledge | undefined;
  isMeant: boolean;
  isActive: boolean;
}

function Turn({ said, passed, before, isMeant, isActive }: TurnProps) {
  const { turn, learnt } = said;
  const isNewDay = before && weekday(before.turn.event_time) !== weekday(turn.event_time);
  return (
    <>
      {isNewDay && <h2 class="day">{weekday(turn.event_time)}</h2>}
      <div class={`turn role-${turn.role} ${isMeant ? "is-meant" : ""}`} aria-current={isMeant ? "true" : undefined}>
        <div class="turn-head">
          <span class="speaker">{line(turn.speaker ?? called(w.talks.role, turn.role ?? ""), 60)}</span>
          <a class="when" href={to("memory", turn.id)} tabIndex={isActive ? 0 : -1} title={moment(turn.event_time)}>
            {clock(turn.event_time)}
          </a>
          {MASKED.test(turn.content) && <Tag tone="warn">{w.talks.masked}</Tag>}
          {turn.trust !== "user" && turn.trust !== "assistant" && <Tag tone="warn">{w.trust[turn.trust]}</Tag>}
        </div>
        <Text>{turn.content}</Text>
        {learnt.length > 0 && (
          <ul class="learnt" aria-label={w.talks.learntHere}>
            {learnt.map((each) => (
              <li key={`${each.id} ${each.version}`} class={each.retired_by || isOver(each) ? "is-old" : ""}>
                <a href={to("memory", each.id)} dir="auto">
                  {line(each.content)}
                </a>
                {each.retired_by && <Tag tone="quiet">{called(w.memory.retired, each.retired_by)}</Tag>}
                {!each.retired_by && isOver(each) && <Tag tone="quiet">{w.memory.less}</Tag>}
              </li>
            ))}
          </ul>
        )}
        {passed && (
          <p class="passed">
            {w.talks.skipped}: {passed.map((reason) => called(w.talks.reason, reason)).join("; ")}
          </p>
        )}
      </div>
    </>
  );
}

function Learn({ path, query }: { path: string; query: Query }) {
  const { error, isBusy, run } = useWork();
  const [report, tell] = useState<Learning | null>(null);

  async function learn(): Promise<void> {
    const found = await post<Learning>(`${path}/learn`, undefined, query);
    changes.value += 1;
    tell(found);
    say(w.talks.learnt(found.learnt.length));
  }

  const skipped = Object.entries(report?.skipped ?? {}).filter(([, count]) => count > 0);
  return (
    <>
      <Button writes disabled={isBusy} onClick={() => void run(learn)}>
        {isBusy ? w.state.loading : w.talks.learn}
      </Button>
      {error && <Trouble error={error} />}
      {skipped.length > 0 && (
        <p class="hint">
          {w.talks.skipped}: {skipped.map(([reason, count]) => `${line(called(w.talks.reason, reason), 80)} (${count})`).join("; ")}
        </p>
      )}
    </>
  );
}

function Erase({ path, query }: { path: string; query: Query }) {
  const [going, show] = useState<Erasure | null>(null);
  const { error, isBusy, run } = useWork();

  async function preview(): Promise<void> {
    show((await ask<Erasure>("DELETE", path, { query: { ...query, dry_run: true } })).body);
  }

  async function erase(): Promise<void> {
    await ask("DELETE", path, { query });
    changes.value += 1;
    say(w.talks.erased);
    go(to("talks"));
  }

  return (
    <>
      <Button writes kind="danger" icon="trash" onClick={() => void run(preview)}>
        {w.talks.erase}
      </Button>
      {error && !going && <Trouble error={error} />}
      {going && (
        <Dialog title={w.talks.eraseTitle} onClose={() => show(null)}>
          <p>{w.talks.eraseAbout(going.turns, going.learnt, going.restored)}</p>
          <p class="hint">{w.talks.eraseHint}</p>
          {going.exports.length > 0 && <p class="hint">{w.talks.exported(going.exports.map((each) => line(each.file)).join(", "))}</p>}
          {error && <Trouble error={error} />}
          <div class="actions">
            <Button kind="danger" icon="trash" disabled={isBusy} onClick={() => void run(erase)}>
              {w.talks.erase}
            </Button>
            <Cancel onCancel={() => show(null)} />
          </div>
        </Dialog>
      )}
    </>
  );
}
