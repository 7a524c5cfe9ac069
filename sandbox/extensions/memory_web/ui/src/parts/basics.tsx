/** Small parts that every page is made of. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isLost, isReadOnly, Lost, Problem } from "../api";
import type { Loaded } from "../loading";
import { Store, useStore } from "../store";
import { number, w } from "../words";
import { Icon, type IconName } from "./icons";

interface ButtonProps {
  children: ComponentChildren;
  icon?: IconName;
  kind?: "primary" | "quiet" | "danger";
  onClick?: () => void;
  disabled?: boolean;
  submit?: boolean;
  label?: string;
  hotkey?: string;
  writes?: boolean;
}

/** One that `writes` is not there where the memory can only be read. */
export function Button({ children, icon, kind, onClick, disabled, submit, label, hotkey, writes }: ButtonProps) {
  const isFixed = useStore(isReadOnly);
  if (writes && isFixed) return null;
  return (
    <button
      type={submit ? "submit" : "button"}
      class={`button ${kind ?? ""}`}
      onClick={onClick}
      disabled={disabled}
      aria-label={label}
      aria-keyshortcuts={hotkey}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {hotkey && <kbd aria-hidden="true">{hotkey}</kbd>}
    </button>
  );
}

export function Tag({ children, tone }: { children: ComponentChildren; tone?: "good" | "bad" | "warn" | "quiet" }) {
  return <span class={`tag ${tone ?? ""}`}>{children}</span>;
}

export function Loading() {
  return (
    <p class="loading" role="status">
      <span class="dots" aria-hidden="true" /> {w.state.loading}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="empty-hint">{children}</div>}
    </div>
  );
}

/** What went wrong, in the server's words, and a way to try again. */
export function Trouble({ error, again }: { error: Error; again?: () => void }) {
  const isGone = useStore(isLost);
  if (error instanceof Problem && error.status === 401) return null; // the gate stands before the page
  if (error instanceof Lost && !isGone && !again) return null; // it can be done now
  return (
    <div class="trouble" role="alert">
      <Icon name="warn" />
      <div>
        <p class="trouble-title">{w.state.problem}</p>
        <p>{error instanceof Lost ? w.state.lost : error.message}</p>
        {again && <Button onClick={again}>{w.action.again}</Button>}
      </div>
    </div>
  );
}

/** What stands in the place of an answer that is awaited, or that could not be had. */
export function Awaited({ of: { data, error, again } }: { of: Pick<Loaded<unknown>, "data" | "error" | "again"> }) {
  if (error) return <Trouble error={error} again={again} />;
  return data === null ? <Loading /> : null;
}

/** Runs what somebody asked for: whether it runs now, and what went wrong with the last. */
export function useWork() {
  const [error, fail] = useState<Error | null>(null);
  const [isBusy, busy] = useState(false);

  async function run(work: () => Promise<unknown>): Promise<void> {
    busy(true);
    fail(null);
    try {
      await work();
    } catch (problem) {
      fail(problem as Error);
    } finally {
      busy(false);
    }
  }

  return { error, isBusy, run };
}

/** Whether somebody has just come to a page, and its heading is to be read out. */
export const arrival = { isNew: false };

/** A heading that is read out and stands in the title of the window when the page is opened; not while its own words
 * are awaited. */
export function Title({ children, about, isAwaited }: { children: string; about?: string; isAwaited?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · ${w.app}`;
  }, [children, w]);
  useEffect(() => {
    if (!arrival.isNew || isAwaited) return;
    arrival.isNew = false;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="title">
      <h1 id="title" tabIndex={-1} ref={heading}>
        {children}
      </h1>
      {about && <p>{about}</p>}
    </header>
  );
}

/** A page whose own thing is awaited, or cannot be had. */
export function Waiting({ title, of }: { title: string; of: Parameters<typeof Awaited>[0]["of"] }) {
  return (
    <>
      <Title isAwaited={!of.error}>{title}</Title>
      <Awaited of={of} />
    </>
  );
}

/** A page whose own thing is not there, and what can be done instead. */
export function Missing({ title, hint, children }: { title: string; hint: string; children: ComponentChildren }) {
  return (
    <>
      <Title>{title}</Title>
      <Empty title={hint}>{children}</Empty>
    </>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ id, title, kind, children }: { id: string; title: ComponentChildren; kind?: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id} class={kind}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A table that can be scrolled sideways; where the page is narrow each row is a list of what its columns say. The roles
 * are said, because browsers forget them with the layout. Its name is that of the heading `by`, or `label`. */
export function Table({ by, label, heads, rows, more }: { by?: string; label?: string; heads: string[]; rows: ComponentChildren[][]; more?: ComponentChildren }) {
  return (
    <div class="table" role="group" aria-labelledby={by} aria-label={label} tabIndex={0}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {heads.map((head) => (
              <th scope="col" role="columnheader" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr role="row" key={index}>
              {row.map((cell, place) => (
                <td role="cell" data-head={heads[place]} key={place}>
                  <span>{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

/** Words that stay in one line: the table scrolls. */
export function Whole({ children }: { children: ComponentChildren }) {
  return <span class="whole">{children}</span>;
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: (id: string, hintId?: string) => ComponentChildren }) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FormProps {
  kind?: string;
  role?: "search";
  onSubmit: () => void;
  onCancel?: () => void;
  children: ComponentChildren;
}

/** A form. Ctrl and Enter send it from a text of several lines, too; Escape leaves it. */
export function Form({ kind, role, onSubmit, onCancel, children }: FormProps) {
  return (
    <form
      class={kind}
      role={role}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel?.();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target instanceof HTMLTextAreaElement) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export function Cancel({ onCancel }: { onCancel: () => void }) {
  return (
    <Button kind="quiet" onClick={onCancel}>
      {w.action.cancel}
    </Button>
  );
}

interface SelectProps {
  id?: string;
  label?: string;
  value: string;
  options: [value: string, name: string][];
  onChoose: (value: string) => void;
}

/** A choice of one of some. */
export function Select({ id, label, value, options, onChoose }: SelectProps) {
  return (
    <select id={id} aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A dialog that keeps the keyboard inside it and closes with Escape. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus(); // the dialog is gone already, so closing it does not
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="button quiet square" aria-label={w.action.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface Toast {
  id: number;
  text: string;
  undo?: () => void;
}

const toasts = new Store<Toast[]>([]);
const SHOWN = 10_000; // milliseconds
let numbers = 0;

/** Say what was done, and offer to undo it where that is possible. */
export function say(text: string, undo?: () => void): void {
  const toast = { id: (numbers += 1), text, undo };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => dismiss(toast.id), SHOWN);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map((toast) => (
        <div class="toast" key={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              class="link"
              onClick={() => {
                toast.undo?.();
                dismiss(toast.id);
              }}
            >
              {w.action.undo}
            </button>
          )}
          <button type="button" class="link" aria-label={w.action.close} onClick={() => dismiss(toast.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

/** A share between 0 and 1, as a bar with words beside it. */
export function Meter({ value, label, told }: { value: number; label: string; told: string }) {
  const share = Math.max(0, Math.min(1, value));
  return (
    <div class="meter">
      <span class="meter-label">{label}</span>
      <span class="meter-told">{told}</span>
      <span class="meter-bar" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

/** The first of many, and a button for the rest. */
export function useFolded<T>(items: readonly T[], most: number): [readonly T[], ComponentChildren] {
  const [isOpen, open] = useState(false);
  if (isOpen || items.length <= most) return [items, null];
  return [items.slice(0, most), <Button kind="quiet" onClick={() => open(true)}>{`${w.action.more} (${number(items.length)})`}</Button>];
}
