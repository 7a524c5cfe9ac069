/** What the page asks the server: the last answer stays while the next one is awaited. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, Lost, Problem } from "./api";
import { changes } from "./live";
import type { Query } from "./route";
import { whose } from "./settings";
import { useStore } from "./store";

const PAGE = 200; // items

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

/** What a question brings, asked anew when `about` or the `version` of it changes. */
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

/** The same about the memory that is meant; asked anew whenever something changes in it. */
export function useCurrent<T>(load: (signal: AbortSignal) => Promise<T>, about: readonly unknown[]): Loaded<T> {
  return useLoaded(load, [...about, useStore(whose)], useStore(changes));
}

/** What a path answers about the memory that is meant. */
export function useAnswer<T>(path: string, query: Query = {}): Loaded<T> {
  return useCurrent((signal) => get<T>(path, query, signal), [path, query]);
}

interface Read<P, T> {
  last: P;
  items: T[];
}

/** A list, page after page as far as `more` asks for it. When something changes its beginning is read anew, and what comes
 * after it where it is scrolled to. */
export function usePages<P extends { next: string | null }, T>(path: string, query: Query, itemsOf: (page: P) => T[]) {
  const version = useStore(changes);
  const about = JSON.stringify([path, query, useStore(whose)]);
  const [read, set] = useState<Read<P, T> | null>(null);
  const [error, fail] = useState<Error | null>(null);
  const asked = useRef({ round: 0, about: "", isBusy: false });

  async function load(cursor: string | null): Promise<void> {
    if (cursor === null) asked.current.round += 1;
    const { round } = asked.current;
    asked.current.isBusy = true;
    try {
      const last = await get<P>(path, { ...query, cursor, limit: PAGE });
      if (round !== asked.current.round) return;
      set((old) => ({ last, items: [...(cursor === null || !old ? [] : old.items), ...itemsOf(last)] }));
      fail(null);
    } catch (problem) {
      if (round === asked.current.round && !isPassing(problem)) fail(problem as Error);
    } finally {
      if (round === asked.current.round) asked.current.isBusy = false;
    }
  }

  useEffect(() => {
    if (asked.current.about !== about) set(null);
    asked.current.about = about;
    void load(null);
  }, [about, version]);

  function more(): void {
    if (read?.last.next && !asked.current.isBusy) void load(read.last.next);
  }
  return { data: read, error, again: () => void load(null), more };
}
