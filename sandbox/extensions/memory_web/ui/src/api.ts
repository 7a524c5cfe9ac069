/** Requests to the server that the page came from; to no other. */

import { useEffect, useRef, useState } from "preact/hooks";
import { token, whose } from "./settings";
import { Store } from "./store";

/** What the server refused, and why, in its words. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** Nobody answered. */
export class Lost extends Error {}

export const isLost = new Store(false);
export const isLocked = new Store(false);
/** Whether the memory refuses changes: nothing that makes one is shown. */
export const isReadOnly = new Store(false);

type Query = Record<string, string | number | boolean | null | undefined>;

export interface Answer<T> {
  body: T;
  etag: string | null;
}

export function address(path: string, query: Query = {}): string {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries<Query[string]>({ ...whose.value, ...query })) {
    if (value !== null && value !== undefined && value !== "" && value !== false) told.set(name, String(value));
  }
  const rest = told.toString();
  return `/api${path}${rest ? `?${rest}` : ""}`;
}

export function headers(): Record<string, string> {
  return token.value ? { Authorization: `Bearer ${token.value}` } : {};
}

export async function ask<T>(
  method: string,
  path: string,
  { query, body, ifMatch, signal }: { query?: Query; body?: unknown; ifMatch?: string | null; signal?: AbortSignal } = {},
): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(address(path, query), {
      method,
      signal,
      cache: "no-store",
      headers: {
        ...headers(),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(ifMatch ? { "If-Match": ifMatch } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    isLost.value = true;
    throw new Lost();
  }
  isLost.value = false;
  if (response.status === 401) isLocked.value = true;
  if (!response.ok) throw await problemOf(response);
  const answer = response.status === 204 ? undefined : await response.json();
  return { body: answer as T, etag: response.headers.get("ETag") };
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const said = await response.json();
    if (said.error === "DatabaseReadOnly") isReadOnly.value = true;
    return new Problem(response.status, String(said.error ?? ""), String(said.detail ?? said.title));
  } catch {
    return new Problem(response.status, "", response.statusText);
  }
}

export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await ask<T>("GET", path, { query, signal })).body;
}

export async function post<T>(path: string, body?: unknown, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await ask<T>("POST", path, { query, body, signal })).body;
}

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  isLoading: boolean;
  again: () => void;
}

/** Whether what is shown may stay, with what somebody is writing in it: the server will answer again, or has to be shown the
 * token first. */
export function isPassing(error: unknown): boolean {
  return error instanceof Lost || (error instanceof Problem && error.status === 401);
}

/** What a question brings, asked anew when `about` or the `version` of it changes; the last answer stays while
 * the next one is awaited. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, about: readonly unknown[], version = 0): Loaded<T> {
  const [state, set] = useState<{ data: T | null; error: Error | null; isLoading: boolean }>({
    data: null,
    error: null,
    isLoading: true,
  });
  const [round, next] = useState(0);
  const key = JSON.stringify(about);
  const answered = useRef<string | null>(null);
  useEffect(() => {
    const control = new AbortController();
    set((old) => ({ ...old, isLoading: true }));
    load(control.signal).then(
      (data) => {
        answered.current = key;
        if (!control.signal.aborted) set({ data, error: null, isLoading: false });
      },
      (error: Error) => {
        if (control.signal.aborted) return;
        if (answered.current === key && isPassing(error)) set((old) => ({ ...old, isLoading: false }));
        else set((old) => ({ data: answered.current === key ? old.data : null, error, isLoading: false }));
      },
    );
    return () => control.abort();
  }, [key, version, round]);
  return { ...state, again: () => next((old) => old + 1) };
}
