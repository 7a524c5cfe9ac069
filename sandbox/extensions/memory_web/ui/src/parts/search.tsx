/** What is searched stands in the address. */

import { useState } from "preact/hooks";
import { changed, go, type Route } from "../route";
import { w } from "../words";
import { Button, Form } from "./basics";

export function SearchForm({ route, label, hint }: { route: Route; label: string; hint: string }) {
  const [draft, write] = useState(route.query.get("q") ?? "");
  return (
    <Form kind="search" role="search" onSubmit={() => go(changed(route, { q: draft.trim() }))}>
      <label for="find" class="visually-hidden">
        {label}
      </label>
      <input id="find" type="search" dir="auto" value={draft} placeholder={hint} onInput={(event) => write(event.currentTarget.value)} />
      <Button submit icon="search">
        {w.known.search}
      </Button>
    </Form>
  );
}
