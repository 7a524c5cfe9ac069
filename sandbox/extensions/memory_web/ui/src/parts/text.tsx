/** What people and programs said, always as text: what looks like markup stays as it was written. */

import { useState } from "preact/hooks";
import { w } from "../words";

const LONG = 1_200; // characters that are shown at once
const LONGEST = 200_000; // a page shows no more of one text
const SECRET = /\[secret: [^\][]{1,40}\]/g;
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Characters that cannot be seen but change what is around them, as signs that can. */
export function seen(text: string): string {
  return text.replace(UNSEEN, (sign) => {
    const code = sign.codePointAt(0)!;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** A text on one line, for a list. */
export function line(text: string, most = 300): string {
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  return seen(short.replace(/\s+/g, " "));
}

export function Text({ children }: { children: string }) {
  const [isOpen, open] = useState(false);
  const isLong = children.length > LONG;
  const shown = isLong ? children.slice(0, isOpen ? LONGEST : LONG) : children;
  return (
    <div class="said serif" dir="auto">
      {marked(seen(shown))}
      {isLong && !isOpen && "…"}
      {isLong && (
        <button type="button" class="link" onClick={() => open(!isOpen)}>
          {isOpen ? w.action.less : w.action.more}
        </button>
      )}
    </div>
  );
}

function marked(text: string) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(SECRET)) {
    parts.push(text.slice(end, found.index), <mark key={found.index}>{found[0]}</mark>);
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}
