/** Requests to the server that the page came from; to no other. */

import { search, type Query } from "./route";
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

export interface Answer<T> {
  body: T;
  etag: string | null;
}

export function address(path: string, query: Query = {}): string {
  return `/api${path}${search({ ...whose.value, ...query })}`;
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
