/** Within what limits a prompt is answered: room, project, time. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { useLoaded } from "../loading";
import { changed, go, useRoute } from "../route";
import { whose } from "../settings";
import { useStore } from "../store";
import { moment, w } from "../words";
import { Field, Select } from "./basics";
import { line } from "./text";

const LEAST = 100;
const MOST = 8_000;
const TIMES = ["now", "true_on", "known_on"] as const;

/** How much room, which project, what time. They stand in the address. */
export function Limits() {
  const route = useRoute();
  const mine = useStore(whose);
  const budget = Number(route.query.get("budget")) || null;
  const [size, slide] = useState(budget ?? 1_000);
  useEffect(() => slide(budget ?? 1_000), [budget]);
  const set = (name: string, value: string | number | null) => go(changed(route, { [name]: value }), { replace: true });
  const isSet = ["budget", ...TIMES].some((name) => route.query.has(name));
  const told = [
    budget && w.ask.tokens(budget),
    mine.project,
    ...TIMES.map((name) => {
      const at = utc(route.query.get(name));
      return at && `${w.ask.times[name]}: ${moment(at)}`;
    }),
  ].filter(Boolean);

  return (
    <details class="limits" open={isSet || undefined}>
      <summary>
        {w.ask.limits}
        {told.length > 0 && ` (${told.join("; ")})`}
      </summary>
      <div class="limits-fields">
        <div class="field">
          <label class="tick">
            <input type="checkbox" checked={budget !== null} onChange={(event) => set("budget", event.currentTarget.checked ? size : null)} />
            {w.ask.limit}
          </label>
          <input
            type="range"
            min={LEAST}
            max={MOST}
            step={50}
            value={size}
            disabled={budget === null}
            aria-label={w.ask.budget}
            aria-valuetext={w.ask.tokens(size)}
            onInput={(event) => slide(Number(event.currentTarget.value))}
            onChange={(event) => set("budget", Number(event.currentTarget.value))}
          />
          <output>{w.ask.tokens(size)}</output>
        </div>
        <ProjectField />
        {TIMES.map((name) => (
          <Field key={name} label={w.ask.times[name]} hint={w.ask.timesAbout[name]}>
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                type="datetime-local"
                value={route.query.get(name) ?? ""}
                min="1900-01-01T00:00"
                max="2999-12-31T23:59"
                onChange={(event) => set(name, event.currentTarget.value)}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}

const ALL = " "; // no project has such a name

/** Which project is meant, of those that are known, or all of them. */
export function ProjectField() {
  const mine = useStore(whose);
  const projects = useLoaded((signal) => get<string[]>("/projects", {}, signal), [mine.user]);
  const known = [...new Set([...(projects.data ?? []), ...(mine.project ? [mine.project] : [])])];
  const options: [string, string][] = [["", w.settings.everything], [ALL, w.settings.allProjects], ...known.map((each): [string, string] => [each, line(each, 60)])];
  const choose = (project: string) => (whose.value = { ...mine, project: project.trim() || null, all_projects: project === ALL });
  return (
    <Field label={w.ask.scope}>
      {(id) => <Select id={id} value={mine.all_projects ? ALL : (mine.project ?? "")} options={options} onChoose={choose} />}
    </Field>
  );
}

/** A moment of the browser's clock, as the server takes it. */
export function utc(local: string | null): string | undefined {
  const at = local ? new Date(local) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
