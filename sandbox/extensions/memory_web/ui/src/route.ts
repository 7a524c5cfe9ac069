/** Where the page is: `#/known?category=person`. It stands behind the `#`, so that no server is told. */

import { Store, useStore } from "./store";

export interface Route {
  page: string;
  id: string | null;
  query: URLSearchParams;
}

function here(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...rest] = path.split("/");
  let id: string | null = null;
  try {
    id = rest.length > 0 ? decodeURIComponent(rest.join("/")) : null;
  } catch {
    id = rest.join("/"); // somebody wrote the address by hand
  }
  return { page: page || "ask", id, query: new URLSearchParams(query) };
}

export const route = new Store<Route>(here());

addEventListener("hashchange", () => {
  route.value = here();
});

export function useRoute(): Route {
  return useStore(route);
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** The part of an address from `?` on. What is null, false or empty is left out. */
export function search(query: Query): string {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) told.set(name, String(value));
  }
  return told.size > 0 ? `?${told}` : "";
}

/** The address of a page, as `href`. */
export function to(page: string, id?: string | null, query: Query = {}): string {
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${search(query)}`;
}

export function go(href: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", href);
    route.value = here();
  } else {
    location.hash = href;
  }
}

/** The same page with some parts of the query changed. */
export function changed(current: Route, given: Query): string {
  return to(current.page, current.id, { ...Object.fromEntries(current.query), ...given });
}
