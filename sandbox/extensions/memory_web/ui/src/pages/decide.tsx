/** What waits for a person: one at a time, by keyboard if they like, each decision undoable. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ask, get, isReadOnly, post } from "../api";
import { useCurrent } from "../loading";
import { Button, Cancel, Empty, Form, Loading, Tag, Title, Trouble } from "../parts/basics";
import type { IconName } from "../parts/icons";
import { change, confirm, fits, forget, Marks, MemoryLink, pin, StatementField } from "../parts/memories";
import { line, Text } from "../parts/text";
import { changed, to, useRoute } from "../route";
import { useStore } from "../store";
import type { Conflict, Memory, MemoryList, Proposal, StoredMemory } from "../types";
import { called, dayOf, number, shortDay, w } from "../words";

const MOST = 50; // of a kind, at once
const KINDS = ["proposal", "conflict", "quarantined", "fading", "duplicate"] as const;

type Kind = (typeof KINDS)[number];

interface Item {
  key: string;
  kind: Kind;
  memories: (Memory & Partial<StoredMemory>)[];
  proposal?: Proposal;
}

interface Choice {
  label: string;
  icon?: IconName;
  kind?: "primary" | "danger";
  run: () => Promise<void> | void;
}

const item = (kind: Kind, memories: Memory[], proposal?: Proposal): Item => ({
  key: [kind, ...memories.map((each) => `${each.id}.${each.version}`)].join(" "),
  kind,
  memories,
  proposal,
});

async function waiting(signal: AbortSignal): Promise<Item[]> {
  const [proposals, conflicts, quarantined, fading] = await Promise.all([
    get<Proposal[]>("/proposals", {}, signal),
    get<Conflict[]>("/conflicts", { limit: MOST }, signal),
    get<MemoryList>("/memory/", { state: "quarantined", limit: MOST }, signal),
    get<StoredMemory[]>("/fading", { limit: MOST }, signal),
  ]);
  return [
    ...proposals.map((each) => item("proposal", [each.memory], each)),
    ...conflicts.map((each) => item("conflict", [each.first, each.second])),
    ...quarantined.memories.map((each) => item("quarantined", [each])),
    ...fading.map((each) => item("fading", [each])),
  ];
}

/** Of many memories they are found in a second or so: they come last, so that nothing is decided in their place. */
async function alike(signal: AbortSignal): Promise<Item[]> {
  const found = await get<Conflict[]>("/duplicates", { limit: MOST }, signal);
  return found.map((each) => item("duplicate", [each.first, each.second]));
}

export function DecidePage() {
  const route = useRoute();
  const first = useCurrent(waiting, []);
  const last = useCurrent(alike, []);
  const data = first.data && [...first.data, ...(last.data ?? [])];
  const isSought = !last.data && !last.error;
  const [left, leave] = useState<ReadonlySet<string>>(new Set());
  const chosen = KINDS.find((each) => each === route.query.get("kind")) ?? null;
  const meant = data?.filter((each) => !chosen || each.kind === chosen) ?? [];
  const open = meant.filter((each) => !left.has(each.key));
  useEffect(() => {
    if (open.length > 0 || !wasDeciding) return;
    wasDeciding = false;
    document.getElementById("title")?.focus();
  }, [open.length]);
  return (
    <div class="decide">
      <Title about={w.decide.about}>{w.decide.title}</Title>
      {first.error && <Trouble error={first.error} again={first.again} />}
      {last.error && !first.error && <Trouble error={last.error} again={last.again} />}
      {!data && !first.error && <Loading />}
      {data && data.length > 0 && (
        <ul class="chips" aria-label={w.known.type}>
          {[null, ...KINDS].map((kind) => {
            const count = data.filter((each) => !kind || each.kind === kind).length;
            return (
              <li key={kind}>
                <a class="chip" href={changed(route, { kind })} aria-current={kind === chosen ? "true" : undefined}>
                  {kind ? w.decide.kinds[kind] : w.decide.all} <span class="count">{number(count)}</span>
                </a>
              </li>
            );
          })}
        </ul>
      )}
      {data && open.length > 0 && (
        <>
          <p class="decide-count" role="status">
            {w.decide.count(open.length)} <kbd class="keys">{w.decide.keys}</kbd>
          </p>
          <Card key={open[0]!.key} item={open[0]!} onLeave={() => leave(new Set([...left, open[0]!.key]))} />
        </>
      )}
      {data && isSought && (
        <p class="hint is-awaited" role="status">
          {w.decide.seeking}
        </p>
      )}
      {data && open.length === 0 && !isSought && (
        <Empty title={meant.length > 0 ? w.decide.allLeft : w.decide.none}>
          {meant.length > 0 ? <Button onClick={() => leave(new Set())}>{w.decide.showLeft}</Button> : w.decide.noneHint}
        </Empty>
      )}
    </div>
  );
}

let wasDeciding = false; // the next card takes the focus, the first one leaves it to the title

function Card({ item, onLeave }: { item: Item; onLeave: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [error, fail] = useState<Error | null>(null);
  const [isBusy, busy] = useState(false);
  const [isWriting, writing] = useState(false);
  useEffect(() => {
    if (wasDeciding) heading.current?.focus({ preventScroll: true });
    wasDeciding = false;
  }, []);

  function decide(run: Choice["run"]): void {
    if (isBusy) return;
    busy(true);
    fail(null);
    wasDeciding = true;
    const done = run();
    if (!done) busy(false);
    else
      done.catch((problem: Error) => {
        fail(problem);
        busy(false);
      });
  }
  useEffect(() => busy(false), [item]); // what is decided goes; what still stands can be decided

  const isFixed = useStore(isReadOnly);
  const choices: Choice[] = [...(isFixed ? [] : choicesOf(item, () => writing(true))), { label: w.decide.later, icon: "right", run: onLeave }];

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
      const isNowhere = event.target === document.body && !document.querySelector("dialog[open]");
      const isHere = isNowhere || (event.target.closest(".decide") && !event.target.closest("input, textarea, select"));
      const choice = choices[Number(event.key) - 1];
      if (!isHere || !choice) return;
      event.preventDefault();
      decide(choice.run);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });

  return (
    <section class="decision" aria-labelledby="decision">
      <h2 id="decision" tabIndex={-1} ref={heading}>
        {w.decide.kind[item.kind]}
      </h2>
      <p class="hint">{w.decide.why[item.kind]}</p>
      <ul class="decision-memories">
        {item.memories.map((memory) => (
          <li class="card" key={memory.id}>
            <Text>{memory.content}</Text>
            <div class="row-marks">
              <Marks memory={memory} />
              {memory.valid_from && <time dateTime={memory.valid_from}>{dayOf(memory.told, memory.valid_from)}</time>}
              {item.kind === "fading" && memory.fades_at && <span>{w.decide.fades(shortDay(memory.fades_at))}</span>}
              <a href={to("memory", memory.id)}>{w.decide.more}</a>
            </div>
          </li>
        ))}
      </ul>
      {item.proposal && <Consequence proposal={item.proposal} />}
      {error && <Trouble error={error} />}
      {isWriting ? (
        <InOtherWords item={item} onDecide={decide} onCancel={() => writing(false)} />
      ) : (
        <div class="actions">
          {choices.map((choice, index) => (
            <Button key={choice.label} icon={choice.icon} kind={choice.kind} hotkey={String(index + 1)} disabled={isBusy} onClick={() => decide(choice.run)}>
              {choice.label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

/** What approving would change, and how long it waits. */
function Consequence({ proposal }: { proposal: Proposal }) {
  return (
    <dl class="facts">
      {proposal.fields.length > 0 && (
        <>
          <dt>{w.decide.fields}</dt>
          <dd>
            {proposal.fields.map((field) => (
              <Tag key={field}>{called(w.people.field, field)}</Tag>
            ))}
          </dd>
        </>
      )}
      {proposal.instead_of.map((each) => (
        <>
          <dt>{w.decide.insteadOf}</dt>
          <dd>
            <MemoryLink memory={each}>{line(each.value, 120)}</MemoryLink>
          </dd>
        </>
      ))}
      <dt>{w.decide.until}</dt>
      <dd>{shortDay(proposal.until)}</dd>
    </dl>
  );
}

function InOtherWords({ item, onDecide, onCancel }: { item: Item; onDecide: (run: Choice["run"]) => void; onCancel: () => void }) {
  const { id, content } = item.memories[0]!;
  const [draft, write] = useState(content);
  return (
    <Form kind="corrector" onSubmit={() => fits(draft) && onDecide(() => approve(id, draft.trim()))} onCancel={onCancel}>
      <StatementField label={w.memory.correcting} draft={draft} onWrite={write} />
      <div class="actions">
        <Button submit kind="primary" disabled={!fits(draft)}>
          {w.decide.approve}
        </Button>
        <Cancel onCancel={onCancel} />
      </div>
    </Form>
  );
}

function approve(id: string, content?: string): Promise<void> {
  return change(id, "approved", w.decide.approved, () => post(`/proposals/${id}/approve`, content && { content }));
}

/** A memory becomes part of another that says the same. */
function merge(id: string, into: string): Promise<void> {
  return change(id, "merged", w.decide.merged, () => post(`/memory/${id}/merge`, { into }));
}

/** What can be decided, in the order of the keys. */
function choicesOf({ kind, memories }: Item, write: () => void): Choice[] {
  const [{ id }, other] = memories as [Memory, Memory];
  switch (kind) {
    case "proposal":
      return [
        { label: w.decide.approve, icon: "check", kind: "primary", run: () => approve(id) },
        { label: w.decide.otherWords, icon: "pencil", run: write },
        {
          label: w.decide.reject,
          icon: "close",
          kind: "danger",
          run: () => change(id, "rejected", w.decide.rejected, () => post(`/proposals/${id}/reject`)),
        },
      ];
    case "conflict":
      return [
        { label: w.decide.onlyFirst, run: () => forget(other.id) },
        { label: w.decide.onlySecond, run: () => forget(id) },
        {
          label: w.decide.both,
          icon: "check",
          run: () => change(id, "unlinked", w.decide.bothDone, () => ask("DELETE", `/memory/${id}/conflicts/${other.id}`)),
        },
      ];
    case "duplicate":
      return [
        { label: w.decide.keepFirst, icon: "check", run: () => merge(other.id, id) },
        { label: w.decide.keepSecond, icon: "check", run: () => merge(id, other.id) },
        {
          label: w.decide.different,
          run: () => change(id, "linked", w.decide.differentDone, () => ask("DELETE", `/memory/${id}/duplicates/${other.id}`)),
        },
      ];
    case "quarantined":
      return [
        { label: w.decide.believe, icon: "check", run: () => confirm(id) },
        { label: w.action.forget, icon: "trash", kind: "danger", run: () => forget(id) },
      ];
    case "fading":
      return [
        { label: w.decide.stillTrue, icon: "check", kind: "primary", run: () => confirm(id) },
        { label: w.action.pin, icon: "pin", run: () => pin(id) },
        { label: w.action.forget, icon: "trash", kind: "danger", run: () => forget(id) },
      ];
  }
}
