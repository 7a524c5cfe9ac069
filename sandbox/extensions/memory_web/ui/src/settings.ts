/** What a person chose: token and whose memory for this tab alone, language and colours for this browser. */

import { Store } from "./store";

export type Language = "en" | "ru";
export type Theme = "auto" | "light" | "dark";

export interface Whose {
  user: string | null;
  project: string | null;
  all_projects: boolean;
}

const nobody: Whose = { user: null, project: null, all_projects: false };

/** A value that the browser keeps. Where it keeps nothing the page works all the same, until it is closed. */
function persistent<T>(storage: Storage, name: string, otherwise: T): Store<T> {
  const store = new Store<T>(otherwise);
  try {
    store.value = JSON.parse(storage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    // it stays as it is
  }
  store.listen(() => {
    try {
      storage.setItem(name, JSON.stringify(store.value));
    } catch {
      // it is not kept
    }
  });
  return store;
}

const preferred: Language = navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en";

export const token = persistent<string | null>(sessionStorage, "token", null);
export const whose = persistent<Whose>(sessionStorage, "whose", nobody);
export const language = persistent(localStorage, "language", preferred);
export const theme = persistent<Theme>(localStorage, "theme", "auto");

/** Take what the address was opened with (`#token=...&user=...`), and take it out of the address. */
export function takeFragment(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash.startsWith("#/") || ![...given.keys()].some((name) => ["token", "user", "project"].includes(name))) {
    return;
  }
  token.value = given.get("token") ?? token.value;
  whose.value = { ...nobody, user: given.get("user"), project: given.get("project") };
  history.replaceState(null, "", `${location.pathname}#/`);
}

function paint(): void {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.lang = language.value;
}

theme.listen(paint);
language.listen(paint);
paint();
