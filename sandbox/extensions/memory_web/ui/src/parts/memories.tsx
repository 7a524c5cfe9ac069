/** A memory in a list, and what can be done about one. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, get, isReadOnly, post, Problem } from "../api";
import { changes } from "../live";
import { to } from "../route";
import { useStore } from "../store";
import type { Explanation, ListedMemory, Memory, Undone } from "../types";
import { called, useWords, words } from "../words";
import { Button, Field, say, Tag, Trouble } from "./basics";
import { line, seen } from "./text";

const SHORTEST = 5;
const LONGEST = 500;

/** What is not said by its text: kind, category, whom it is about, whose word it is. */
export function Marks({ memory, without }: { memory: Memory; without?: "subject" }) {
  const w = useWords();
  return (
    <span class="marks">
      {memory.type !== "semantic" && <Tag tone="quiet">{w.kind[memory.type]}</Tag>}
      {memory.category && <Tag tone="quiet">{seen(called(w.category, memory.category))}</Tag>}
      {memory.subject && without !== "subject" && <Tag tone="quiet">{line(memory.subject, 60)}</Tag>}
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

interface Manner {
  quietly?: boolean;
}

/** Forget a memory; unless `quietly`, say so, with a way back. */
export async function forget(id: string, { quietly = false }: Manner = {}): Promise<void> {
  await ask("DELETE", `/memory/${id}`);
  changes.value += 1;
  if (!quietly) say(words().memory.forgot, () => void restore(id));
}

/** Bring back what was forgotten or has faded. */
export async function restore(id: string, { quietly = false }: Manner = {}): Promise<void> {
  try {
    await post(`/memory/${id}`);
    changes.value += 1;
    if (!quietly) say(words().memory.restored);
  } catch (error) {
    say((error as Error).message);
  }
}

export async function confirm(id: string): Promise<void> {
  await post(`/memory/${id}/confirm`, undefined, { by_person: true });
  changes.value += 1;
  say(words().memory.confirmed, await undoing(id, "confirmed"));
}

/** Keep a memory for good, or let it fade again. */
export async function pin(id: string, isPinned = true): Promise<void> {
  await ask(isPinned ? "PUT" : "DELETE", `/memory/${id}/pin`);
  changes.value += 1;
  say(isPinned ? words().memory.pinDone : words().memory.unpinDone, () => void pin(id, !isPinned).catch(tellOf));
}

/** Say how important a memory is. */
export async function rate(id: string, importance: number): Promise<void> {
  await ask("PUT", `/memory/${id}/importance`, { body: { importance } });
  changes.value += 1;
  say(words().memory.rated, await undoing(id, "rated"));
}

/** What undoes the last change of a kind to a memory. */
export async function undoing(id: string, event: string): Promise<() => void> {
  const known = await get<Explanation>(`/memory/${id}/history`);
  const change = known.changes.filter((each) => each.event === event).at(-1);
  return () => void (change && undo(change.seq).then(() => say(words().memory.undone), tellOf));
}

/** Take a change back. */
export async function undo(change: number): Promise<Undone> {
  const done = await post<Undone>("/undo", { change });
  changes.value += 1;
  return done;
}

export function tellOf(error: Error): void {
  say(error.message);
}

/** Correct, confirm, pin, forget: where a memory stands. `onChange` is told when something was done. */
export function Actions({ memory, onChange }: { memory: Memory; onChange?: () => void }) {
  const w = useWords();
  const isTurn = memory.type === "episodic"; // what was said was said: it can only be forgotten
  const [isCorrecting, correcting] = useState(false);
  const [error, fail] = useState<Error | null>(null);

  const isFixed = useStore(isReadOnly);

  function run(work: () => Promise<void>): void {
    fail(null);
    work().then(onChange, fail);
  }

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
    <div class="actions">
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
      {error && <Trouble error={error} />}
    </div>
  );
}

const TOLD = ["fact", "preference", "instruction", "person", "project"]; // categories that people choose from

/** A field in which the memory is told what it does not know. */
export function Teller({ onDone }: { onDone?: () => void }) {
  const w = useWords();
  const [draft, write] = useState("");
  const [category, choose] = useState(TOLD[0]!);
  const [error, fail] = useState<Error | null>(null);
  const [isSaving, saving] = useState(false);
  const length = draft.trim().length;
  const fits = length >= SHORTEST && length <= LONGEST;
  const isFixed = useStore(isReadOnly);

  async function save(): Promise<void> {
    saving(true);
    fail(null);
    try {
      const { id } = await post<Memory>("/memory/", { content: draft.trim(), category });
      write("");
      changes.value += 1;
      say(w.tell.done, () => void forget(id, { quietly: true }).then(() => say(w.memory.undone), tellOf));
      onDone?.();
    } catch (problem) {
      fail(problem as Error);
    } finally {
      saving(false);
    }
  }

  if (isFixed) return null;
  return (
    <details class="teller">
      <summary>{w.tell.open}</summary>
      <form
        class="corrector"
        onSubmit={(event) => {
          event.preventDefault();
          if (fits && !isSaving) void save();
        }}
      >
        <Field label={w.tell.what} hint={fits || !draft ? w.tell.hint : w.memory.tooShort}>
          {(field, hint) => (
            <textarea
              id={field}
              aria-describedby={hint}
              rows={2}
              dir="auto"
              value={draft}
              onInput={(event) => write(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && fits && !isSaving) void save();
              }}
            />
          )}
        </Field>
        <Field label={w.known.category}>
          {(field) => (
            <select id={field} value={category} onChange={(event) => choose(event.currentTarget.value)}>
              {TOLD.map((each) => (
                <option key={each} value={each}>
                  {called(w.category, each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {error && <Trouble error={error} />}
        <div class="actions">
          <Button submit kind="primary" disabled={!fits || isSaving}>
            {w.action.save}
          </Button>
        </div>
      </form>
    </details>
  );
}

interface Seen {
  content: string;
  etag: string | null;
}

/** A field in which a memory is put right; nobody else's change is lost, and nothing that was written here. */
function Corrector({ id, content, onDone, onCancel }: { id: string; content: string; onDone: () => void; onCancel: () => void }) {
  const w = useWords();
  const [draft, write] = useState(content);
  const [base, see] = useState<Seen | null>(null);
  const [theirs, meet] = useState<Seen | null>(null);
  const [error, fail] = useState<Error | null>(null);
  const [isSaving, saving] = useState(false);
  const length = draft.trim().length;
  const fits = length >= SHORTEST && length <= LONGEST;

  async function now(): Promise<Seen> {
    const { body, etag } = await ask<ListedMemory>("GET", `/memory/${id}`);
    return { content: body.content, etag };
  }

  useEffect(() => {
    now().then((found) => {
      see(found);
      if (found.content !== content) meet(found);
    }, fail);
  }, [id]);

  async function save(over: Seen | null): Promise<void> {
    saving(true);
    fail(null);
    try {
      await ask("PUT", `/memory/${id}`, { body: { content: draft.trim() }, ifMatch: over?.etag });
      changes.value += 1;
      say(w.memory.saved, await undoing(id, "corrected"));
      onDone();
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 412) {
        const found = await now().catch(() => null);
        if (found) meet(found);
      } else fail(problem as Error);
    } finally {
      saving(false);
    }
  }

  return (
    <form
      class="corrector"
      onSubmit={(event) => {
        event.preventDefault();
        if (fits && !isSaving) void save(base);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && fits) void save(theirs ?? base);
      }}
    >
      <Field label={w.memory.correcting} hint={fits ? w.memory.correctHint : w.memory.tooShort}>
        {(field, hint) => (
          <textarea
            id={field}
            aria-describedby={hint}
            aria-invalid={!fits}
            rows={3}
            dir="auto"
            value={draft}
            ref={(element) => {
              if (element && !element.dataset.met) {
                element.dataset.met = "1";
                element.focus();
              }
            }}
            onInput={(event) => write(event.currentTarget.value)}
          />
        )}
      </Field>
      {theirs && (
        <div class="trouble" role="alert">
          <div>
            <p class="trouble-title">{w.memory.conflict}</p>
            <p class="serif" dir="auto">
              {seen(theirs.content)}
            </p>
            <p>{w.memory.conflictHint}</p>
            <Button onClick={() => void save(theirs)} disabled={!fits}>
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
          <Button submit kind="primary" disabled={!fits || isSaving || !base}>
            {w.action.save}
          </Button>
          <Button kind="quiet" onClick={onCancel}>
            {w.action.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}
