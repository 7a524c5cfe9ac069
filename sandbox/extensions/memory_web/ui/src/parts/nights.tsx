/** Nights: when, how long, what they changed, what failed. */

import type { Night } from "../types";
import { called, clock, moment, number, w } from "../words";
import { Table, useFolded, Whole } from "./basics";

const SHOWN = 7; // before more is asked for

/** Nights as a table, under the heading `by`; on a page of one day only the hour is told. */
export function Nights({ nights, by, isOneDay }: { nights: readonly Night[]; by: string; isOneDay?: boolean }) {
  const [shown, more] = useFolded(nights, SHOWN);
  return (
    <Table
      by={by}
      heads={[w.health.when, w.night.took, w.night.did, w.night.failed]}
      rows={shown.map((night) => [
        <Whole>{isOneDay ? clock(night.at) : moment(night.at)}</Whole>,
        <Whole>{w.night.seconds(night.seconds)}</Whole>,
        did(night),
        failed(night),
      ])}
      more={more}
    />
  );
}

function did({ changes }: Night): string {
  return Object.entries(changes).map(([event, count]) => `${called(w.event, event)} ${number(count)}`).join(" · ") || w.night.nothing;
}

function failed({ steps }: Night): string {
  const wrong = steps.filter((each) => each.status === "failed");
  return wrong.map((each) => `${called(w.health.stepName, each.step)}: ${called(w.health.error, each.error ?? "")}`).join("; ") || w.night.nothing;
}
