/** A memory in a list, and what can be done about one. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, get, isReadOnly, post, Problem } from "../api";
import { changes } from "../live";
import { useLoaded } from "../loading";
import { to } from "../route";
import { useStore } from "../store";
import type { Explanation, Hit, ListedMemory, Memory, StoredMemory, UndoReport } from "../types";
import { called, moment, w } from "../words";
import { Button, Cancel, Field, Form, say, Select, Tag, Trouble, useWork } from "./basics";
import { line, seen } from "./text";

const SHORTEST = 5;
const LONGEST = 500;

/** Whether it was true, and is no more; the end of what is planned is still to come. */
export function isOver({ valid_until }: Pick<StoredMemory, "valid_until">): boolean {
  return valid_until !== null && new Date(valid_until) <= new Date();
}

/** What is not said by its text: kind, category, whom it is about, whose word it is. */
export function Marks({ memory, without }: { memory: Memory; without?: "subject" }) {
  return (
    <span class="marks">
      {memory.type !== "semantic" && <Tag tone="quiet">{w.kind[memory.type]}</Tag>}
      {memory.category && <Tag tone="quiet">{seen(called(w.category, memory.category))}</Tag>}
      {memory.subject && without !== "subject" && <Tag tone="quiet">{line(memory.subject, 60)}</Tag>}
      {memory.project && <Tag tone="quiet">{line(memory.project, 60)}</Tag>}
      {memory.pinned && <Tag tone="good">{w.memory.pinned}</Tag>}
      {memory.trust !== "user" && <Tag tone={memory.trust === "confirmed" ? "good" : "warn"}>{w.trust[memory.trust]}</Tag>}
    </span>
  );
}

/** A memory as a link to its page. */
export function MemoryLink({ memory, children }: { memory: { id: string; content: string }; children?: ComponentChildren }) {
  return (
    <a class="memory-link" href={to("memory", memory.id)} dir="auto">
      {children ?? line(memory.content)}
    </a>
  );
}

/** A memory as a row of a list, with what else is told of it. */
export function MemoryRow({ memory, before, children }: { memory: Memory; before?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <li class="row">
      <MemoryLink memory={memory} />
      <span class="row-marks">
        {before}
        <Marks memory={memory} />
        {children}
      </span>
    </li>
  );
}

/** A turn as a row of a list: it leads to its place in the conversation. */
export function TurnRow({ turn }: { turn: Hit | StoredMemory }) {
  return (
    <li class="row">
      <a class="memory-link" dir="auto" href={turn.session ? to("talks", turn.session, { turn: turn.id }) : to("memory", turn.id)}>
        {line(turn.content)}
      </a>
      <span class="row-marks">
        {turn.speaker && <Tag tone="quiet">{line(turn.speaker, 40)}</Tag>}
        <time dateTime={turn.event_time}>{moment(turn.event_time)}</time>
      </span>
    </li>
  );
}

interface Manner {
  quietly?: boolean;
}

/** Forget a memory; unless `quietly`, say so, with a way back. */
export async function forget(id: string, { quietly = false }: Manner = {}): Promise<void> {
  await ask("DELETE", `/memory/${id}`);
  changes.value += 1;
  if (!quietly) say(w.memory.forgot, () => void restore(id));
}

/** Bring back what was forgotten or has faded. */
export async function restore(id: string, { quietly = false }: Manner = {}): Promise<void> {
  try {
    await post(`/memory/${id}`);
    changes.value += 1;
    if (!quietly) say(w.memory.restored);
  } catch (error) {
    say((error as Error).message);
  }
}

/** Change a memory, say what was done, and offer to undo that change. */
export async function change(id: string, event: string, told: string, work: () => Promise<unknown>): Promise<void> {
  await work();
  const known = await get<Explanation>(`/memory/${id}/history`);
  const done = known.changes.filter((each) => each.event === event).at(-1);
  changes.value += 1;
  say(told, () => void (done && undo(done.seq).then(() => say(w.memory.undone), tellOf)));
}

export function confirm(id: string): Promise<void> {
  return change(id, "confirmed", w.memory.confirmed, () => post(`/memory/${id}/confirm`, undefined, { by_person: true }));
}

/** Keep a memory for good, or let it fade again. */
export async function pin(id: string, isPinned = true): Promise<void> {
  await ask(isPinned ? "PUT" : "DELETE", `/memory/${id}/pin`);
  changes.value += 1;
  say(isPinned ? w.memory.pinDone : w.memory.unpinDone, () => void pin(id, !isPinned).catch(tellOf));
}

/** Say how important a memory is. */
export function rate(id: string, importance: number): Promise<void> {
  return change(id, "rated", w.memory.rated, () => ask("PUT", `/memory/${id}/importance`, { body: { importance } }));
}

/** Take a change back. */
export async function undo(change: number): Promise<UndoReport> {
  const done = await post<UndoReport>("/undo", { change });
  changes.value += 1;
  return done;
}

export function tellOf(error: Error): void {
  say(error.message);
}

/** Correct, confirm, pin, forget: where a memory stands. `onChange` is told when something was done. */
export function Actions({ memory, onChange }: { memory: Memory; onChange?: () => void }) {
  const isTurn = memory.type === "episodic"; // what was said was said: it can only be forgotten
  const [isCorrecting, correcting] = useState(false);
  const isFixed = useStore(isReadOnly);
  const work = useWork();
  const run = (change: () => Promise<void>) => void work.run(() => change().then(onChange));
  const bar = useRef<HTMLDivElement>(null);
  const wasCorrecting = useRef(false);
  useEffect(() => {
    if (wasCorrecting.current && !isCorrecting) bar.current?.querySelector("button")?.focus();
    wasCorrecting.current = isCorrecting;
  }, [isCorrecting]);

  if (isCorrecting) {
    return (
      <Corrector
        id={memory.id}
        content={memory.content}
        onDone={() => {
          correcting(false);
          onChange?.();
        }}
        onCancel={() => correcting(false)}
      />
    );
  }
  if (isFixed) return null;
  return (
    <div class="actions" ref={bar}>
      {!isTurn && (
        <Button icon="pencil" kind="quiet" onClick={() => correcting(true)}>
          {w.action.correct}
        </Button>
      )}
      {!isTurn && memory.trust !== "confirmed" && (
        <Button icon="check" kind="quiet" onClick={() => run(() => confirm(memory.id))}>
          {w.action.confirm}
        </Button>
      )}
      {!isTurn && memory.pinned !== undefined && (
        <Button icon="pin" kind="quiet" onClick={() => run(() => pin(memory.id, !memory.pinned))}>
          {memory.pinned ? w.action.unpin : w.action.pin}
        </Button>
      )}
      <Button icon="trash" kind="quiet" onClick={() => run(() => forget(memory.id))}>
        {w.action.forget}
      </Button>
      {work.error && <Trouble error={work.error} />}
    </div>
  );
}

export const fits = (draft: string) => draft.trim().length >= SHORTEST && draft.trim().length <= LONGEST;

interface StatementProps {
  label: string;
  hint?: string;
  draft: string;
  onWrite: (draft: string) => void;
  isNew?: boolean;
}

/** A field for a statement. Unless it `isNew` the cursor goes there, and it cannot stay empty. */
export function StatementField({ label, hint, draft, onWrite, isNew }: StatementProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isWrong = !fits(draft) && !(isNew && !draft);
  useEffect(() => {
    if (!isNew) field.current?.focus();
  }, []);
  return (
    <Field label={label} hint={isWrong ? w.memory.tooShort : hint}>
      {(id, hintId) => (
        <textarea
          id={id}
          aria-describedby={hintId}
          aria-invalid={isWrong}
          rows={isNew ? 2 : 3}
          dir="auto"
          value={draft}
          ref={field}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

const TOLD = ["fact", "preference", "instruction", "person", "project"]; // categories that people choose from

/** A field in which the memory is told what it does not know. */
export function Teller({ onDone }: { onDone?: () => void }) {
  const [draft, write] = useState("");
  const [category, choose] = useState(TOLD[0]!);
  const { error, isBusy, run } = useWork();

  async function save(): Promise<void> {
    const { id } = await post<Memory>("/memory/", { content: draft.trim(), category });
    write("");
    changes.value += 1;
    say(w.tell.done, () => void forget(id, { quietly: true }).then(() => say(w.memory.undone), tellOf));
    onDone?.();
  }

  if (useStore(isReadOnly)) return null;
  return (
    <details class="teller">
      <summary>{w.tell.open}</summary>
      <Form kind="corrector" onSubmit={() => fits(draft) && !isBusy && void run(save)}>
        <StatementField label={w.tell.what} hint={w.tell.hint} draft={draft} onWrite={write} isNew />
        <Field label={w.known.category}>
          {(id) => <Select id={id} value={category} options={TOLD.map((each) => [each, called(w.category, each)])} onChoose={choose} />}
        </Field>
        {error && <Trouble error={error} />}
        <div class="actions">
          <Button submit kind="primary" disabled={!fits(draft) || isBusy}>
            {w.action.save}
          </Button>
        </div>
      </Form>
    </details>
  );
}

interface Seen {
  content: string;
  etag: string | null;
}

/** A field in which a memory is put right; nobody else's change is lost, and nothing that was written here. */
function Corrector({ id, content, onDone, onCancel }: { id: string; content: string; onDone: () => void; onCancel: () => void }) {
  const [before] = useState(content);
  const [draft, write] = useState(content);
  const base = useLoaded(now, [id]);
  const [met, meet] = useState<Seen | null>(null);
  const theirs = met ?? (base.data?.content === before ? null : base.data);
  const work = useWork();
  const error = work.error ?? base.error;

  async function now(): Promise<Seen> {
    const { body, etag } = await ask<ListedMemory>("GET", `/memory/${id}`);
    return { content: body.content, etag };
  }

  async function save(): Promise<void> {
    const right = { body: { content: draft.trim() }, ifMatch: (theirs ?? base.data)?.etag };
    try {
      await change(id, "corrected", w.memory.saved, () => ask("PUT", `/memory/${id}`, right));
      onDone();
    } catch (problem) {
      const found = problem instanceof Problem && problem.status === 412 ? await now().catch(() => null) : null;
      if (!found) throw problem;
      meet(found);
    }
  }

  return (
    <Form kind="corrector" onSubmit={() => fits(draft) && !work.isBusy && void work.run(save)} onCancel={onCancel}>
      <StatementField label={w.memory.correcting} hint={w.memory.correctHint} draft={draft} onWrite={write} />
      {theirs && (
        <div class="trouble" role="alert">
          <div>
            <p class="trouble-title">{w.memory.conflict}</p>
            <p class="serif" dir="auto">
              {seen(theirs.content)}
            </p>
            <p>{w.memory.conflictHint}</p>
            <Button submit disabled={!fits(draft)}>
              {w.memory.saveOver}
            </Button>
            <Button kind="quiet" onClick={onDone}>
              {w.memory.takeTheirs}
            </Button>
          </div>
        </div>
      )}
      {error && <Trouble error={error} />}
      {!theirs && (
        <div class="actions">
          <Button submit kind="primary" disabled={!fits(draft) || work.isBusy || !base.data}>
            {w.action.save}
          </Button>
          <Cancel onCancel={onCancel} />
        </div>
      )}
    </Form>
  );
}
