/** The inspector: where it begins, and which page stands at which address. */

import { render, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isLocked } from "./api";
import { changes, follow } from "./live";
import { AskPage } from "./pages/ask";
import { DecidePage } from "./pages/decide";
import { HealthPage } from "./pages/health";
import { KnownPage } from "./pages/known";
import { MemoryPage } from "./pages/memory";
import { PeoplePage } from "./pages/people";
import { PersonPage } from "./pages/person";
import { TalkPage } from "./pages/talk";
import { TalksPage } from "./pages/talks";
import { TimePage } from "./pages/time";
import { arrival, Empty, Title } from "./parts/basics";
import { Frame, Gate } from "./parts/frame";
import { go, to, useRoute } from "./route";
import { language, takeFragment } from "./settings";
import { useStore } from "./store";
import { w } from "./words";
import "./style.css";

const PAGES: Record<string, (id: string | null) => ComponentChildren> = {
  ask: () => <AskPage />,
  known: () => <KnownPage />,
  memory: (id) => (id ? <MemoryPage key={id} id={id} /> : <Nowhere />),
  talks: (id) => (id ? <TalkPage key={id} id={id} /> : <TalksPage />),
  people: (id) => (id ? <PersonPage key={id} id={id} /> : <PeoplePage />),
  time: () => <TimePage />,
  decide: () => <DecidePage />,
  health: () => <HealthPage />,
};

function Nowhere() {
  return (
    <>
      <Title>{w.state.notFound}</Title>
      <Empty title={w.state.notFoundHint}>
        <a href={to("ask")}>{w.nav.ask}</a>
      </Empty>
    </>
  );
}

function App() {
  useStore(language); // in another one everything is drawn anew
  const where = useRoute();
  const locked = useStore(isLocked);
  const place = `${where.page}/${where.id ?? ""}`;
  const before = useRef(place);
  if (before.current !== place) arrival.isNew = true;
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    scrollTo(0, 0);
  }, [place]);
  return (
    <>
      {locked && <Gate />}
      <div hidden={locked}>
        <Frame>{Object.hasOwn(PAGES, where.page) ? PAGES[where.page]!(where.id) : <Nowhere />}</Frame>
      </div>
    </>
  );
}

takeFragment();
go(location.hash, { replace: true });
isLocked.listen(() => {
  if (isLocked.value) return;
  follow();
  changes.value += 1;
});
follow();
render(<App />, document.getElementById("app")!);
