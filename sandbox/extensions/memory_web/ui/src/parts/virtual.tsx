/** A list of which only what can be seen is there, so that a hundred thousand rows are as quick as ten. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

const BEYOND = 400; // pixels that are drawn above and below what can be seen
const NEAR_END = 20; // rows

interface Props {
  count: number;
  estimate: number;
  label: string;
  row: (index: number, isActive: boolean) => ComponentChildren;
  onRange?: (first: number, last: number) => void;
  onEnd?: () => void;
  start?: number;
  onSpace?: (index: number) => void;
}

/** Rows may be of any height. Arrows, Home and End move between rows; a row's first link or button takes the focus. */
export function VirtualList({ count, estimate, label, row, onRange, onEnd, start, onSpace }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [measured, measure] = useState(0);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [active, setActive] = useState(start ?? 0);
  const wantsFocus = useRef(false);

  const offsets = useMemo(() => {
    const made = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1) {
      made[index + 1] = made[index]! + (heights.current.get(index) ?? estimate);
    }
    return made;
  }, [count, estimate, measured]);

  const first = Math.max(0, place(offsets, top - BEYOND));
  const last = Math.min(count - 1, place(offsets, top + height + BEYOND));

  useEffect(() => {
    if (count > 0) onRange?.(first, last);
    if (last >= count - NEAR_END) onEnd?.();
  }, [first, last, count]);

  useLayoutEffect(() => {
    const element = box.current!;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const measureRows = useRef(() => undefined as void);
  measureRows.current = () => {
    const element = box.current!;
    let moved = 0;
    let isNew = false;
    for (const child of shownRows(element)) {
      const index = Number(child.dataset.index);
      const known = heights.current.get(index) ?? estimate;
      const now = child.offsetHeight;
      if (now > 0 && Math.abs(known - now) > 0.5) {
        heights.current.set(index, now);
        isNew = true;
        if ((offsets[index + 1] ?? 0) <= element.scrollTop) moved += now - known;
      }
    }
    if (isNew) {
      measure((old) => old + 1);
      if (moved !== 0) element.scrollTop += moved; // what is read stays where it is
    }
  };

  useLayoutEffect(() => {
    measureRows.current();
    const watch = new ResizeObserver(() => measureRows.current()); // a row may get more to say
    for (const child of shownRows(box.current!)) watch.observe(child);
    return () => watch.disconnect();
  });

  const begun = useRef(false);
  useLayoutEffect(() => {
    if (begun.current || start === undefined || count === 0) return;
    begun.current = true;
    box.current!.scrollTop = Math.max(0, offsets[Math.min(start, count - 1)]! - estimate);
  }, [count, start]);

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const target = box.current!.querySelector<HTMLElement>(`[data-index="${active}"] :is(a, button)`);
    if (target) {
      wantsFocus.current = false;
      target.focus({ preventScroll: true });
    }
  });

  function move(index: number): void {
    const next = Math.max(0, Math.min(count - 1, index));
    const element = box.current!;
    const [above, below] = [offsets[next]!, offsets[next + 1]!];
    if (above < element.scrollTop) element.scrollTop = above;
    else if (below > element.scrollTop + element.clientHeight) element.scrollTop = below - element.clientHeight;
    wantsFocus.current = true;
    setActive(next);
    setTop(element.scrollTop);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    const page = Math.max(1, Math.floor(height / estimate) - 1);
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      j: active + 1,
      ArrowUp: active - 1,
      k: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    if (event.key in steps) {
      event.preventDefault();
      move(steps[event.key]!);
    } else if (event.key === " " && onSpace && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      onSpace(active);
    }
  }

  const rows = [];
  for (let index = first; index <= last; index += 1) {
    rows.push(
      <div
        class="virtual-row"
        role="listitem"
        key={index}
        data-index={index}
        aria-setsize={count}
        aria-posinset={index + 1}
        style={{ transform: `translateY(${offsets[index]}px)` }}
        onFocusIn={() => setActive(index)}
      >
        {row(index, index === active)}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      <div class="virtual-all" role="list" aria-label={label} style={{ height: `${offsets[count]}px` }}>
        {rows}
      </div>
    </div>
  );
}

function shownRows(box: HTMLElement): NodeListOf<HTMLElement> {
  return box.querySelectorAll<HTMLElement>(":scope > .virtual-all > .virtual-row");
}

/** The row at so many pixels from the top. */
function place(offsets: Float64Array, at: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
