/** What changes in the memory while somebody looks: a stream of events, read with the token in a header. */

import { address, headers, isLocked, isLost, isReadOnly } from "./api";
import { token, whose } from "./settings";
import { Store } from "./store";

/** Grows whenever something changed. */
export const changes = new Store(0);

const GATHERED = 400; // milliseconds in which several changes count as one
const PAUSES = [1_000, 2_000, 5_000, 10_000];

let following: AbortController | null = null;
let failures = 0;

/** Follow the memory that is meant; another one when that is changed. */
export function follow(): void {
  following?.abort();
  following = new AbortController();
  void answers();
  void stream(following.signal);
}

async function stream(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(address("/events"), { signal, headers: headers(), cache: "no-store" });
      if (response.status === 401) {
        isLocked.value = true;
        return;
      }
      if (isLost.value) tell(); // what happened meanwhile was not told
      isLost.value = false;
      failures = 0;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.includes("data: ")) tell();
      }
    } catch {
      if (signal.aborted) return;
    }
    isLost.value = !(await answers());
    await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(failures++, PAUSES.length - 1)]));
  }
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch("/health", { cache: "no-store" });
    if (response.ok) isReadOnly.value = (await response.json()).read_only;
    return response.ok;
  } catch {
    return false;
  }
}

let told: ReturnType<typeof setTimeout> | undefined;

function tell(): void {
  clearTimeout(told);
  told = setTimeout(() => (changes.value += 1), GATHERED);
}

token.listen(follow);
whose.listen(follow);
