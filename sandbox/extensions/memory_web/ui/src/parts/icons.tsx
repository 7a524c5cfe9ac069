/** Lines on a grid of 20; they say nothing that words beside them do not. */

const PATHS = {
  ask: "M3 5.5A2.5 2.5 0 0 1 5.5 3h9A2.5 2.5 0 0 1 17 5.5v6a2.5 2.5 0 0 1-2.5 2.5H9l-4 3v-3A2.5 2.5 0 0 1 3 11.5zM7 7h6M7 10h4",
  known: "M4 4.5h9.5A2.5 2.5 0 0 1 16 7v9H6.5A2.5 2.5 0 0 1 4 13.500zM4 13.500A2.5 2.5 0 0 1 6.500 11H16M7.500 7.500h5",
  talks: "M3 6a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H7l-3 2.500V11a2 2 0 0 1-1-2zM13 8h2a2 2 0 0 1 2 2v3a2 2 0 0 1-1 2v2l-3-2h-2.500",
  people: "M7.500 9.500a2.750 2.750 0 1 0 0-5.500 2.750 2.750 0 0 0 0 5.500zM2.500 16.500c.3-3 2.200-4.800 5-4.800s4.700 1.800 5 4.800M12.500 4.300a2.750 2.750 0 0 1 0 5M14.500 12.200c1.800.6 2.800 2.200 3 4.300",
  time: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4.200l2.800 1.800",
  health: "M2.500 10.500h3.500l2-5 3.500 9.500 2-4.500h4",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  close: "M5 5l10 10M15 5 5 15",
  right: "M8 4.500 13.500 10 8 15.500",
  left: "M12 4.500 6.500 10l5.500 5.500",
  check: "M4 10.500 8 14.500 16 5.500",
  warn: "M10 3.500 18 16.500H2zM10 8.500v3.500M10 14.200v.1",
  pencil: "M4 16l.8-3.500 8.700-8.700 2.700 2.700-8.700 8.700zM11.500 5.800l2.700 2.700",
  trash: "M4 6h12M8 6V4h4v2M5.500 6l.8 10.500h7.400L14.500 6M8.500 9v4.500M11.500 9v4.500",
  undo: "M4 8h8a4 4 0 0 1 0 8H8M4 8l3.500-3.500M4 8l3.500 3.500",
  lock: "M6.500 9V7a3.500 3.500 0 0 1 7 0v2M5 9h10v7.500H5z",
  pin: "M7.500 3h5l-.7 5 2.700 2.500H5.500L8.200 8zM10 10.500V17",
  decide: "M10 3v14M5 17h10M4 6.500h12M4 6.500l-2 5h4zM16 6.500l-2 5h4z",
  search: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.500 13.500 17 17",
};

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
