/** What a person chose: token and whose memory for this tab alone, language and colours for this browser. */

import { Store } from "./store";

export type Language = "en" | "ru";
export type Theme = "auto" | "light" | "dark";

export interface Whose {
  user: string | null;
  project: string | null;
}

const TOKEN = "token";
const WHOSE = "whose";

function kept(storage: Storage, name: string): string | null {
  try {
    return storage.getItem(name);
  } catch {
    return null; // a browser may keep nothing
  }
}

function keep(storage: Storage, name: string, value: string | null): void {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, value);
  } catch {
    // the page works all the same, until it is closed
  }
}

function persistent<T>(storage: Storage, name: string, store: Store<T>): Store<T> {
  store.listen(() => keep(storage, name, store.value === null ? null : JSON.stringify(store.value)));
  return store;
}

function read<T>(storage: Storage, name: string, otherwise: T): T {
  try {
    const text = kept(storage, name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

const preferred: Language = navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en";

export const token = persistent(sessionStorage, TOKEN, new Store<string | null>(read(sessionStorage, TOKEN, null)));
export const whose = persistent(
  sessionStorage,
  WHOSE,
  new Store<Whose>(read(sessionStorage, WHOSE, { user: null, project: null })),
);
export const language = persistent(localStorage, "language", new Store<Language>(read(localStorage, "language", preferred)));
export const theme = persistent(localStorage, "theme", new Store<Theme>(read(localStorage, "theme", "auto")));

/** Take what the address was opened with (`#token=...&user=...`), and take it out of the address. */
export function takeFragment(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash.startsWith("#/") || ![...given.keys()].some((name) => ["token", "user", "project"].includes(name))) {
    return;
  }
  token.value = given.get("token") ?? token.value;
  whose.value = { user: given.get("user"), project: given.get("project") };
  history.replaceState(null, "", `${location.pathname}#/`);
}

function paint(): void {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.lang = language.value;
}

theme.listen(paint);
language.listen(paint);
paint();
