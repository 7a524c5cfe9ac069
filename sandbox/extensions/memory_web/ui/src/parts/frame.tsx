/** What stands around every page: where one can go, whose memory it is, what went wrong with the server. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { get, isLocked, isLost, isReadOnly } from "../api";
import { useLoaded } from "../loading";
import { to, useRoute } from "../route";
import { language, theme, token, whose, type Language, type Theme } from "../settings";
import { useStore } from "../store";
import { w } from "../words";
import { Button, Dialog, Field, Form, Select, Title, Toasts } from "./basics";
import { Icon, type IconName } from "./icons";
import { line } from "./text";

const PAGES = ["ask", "known", "talks", "people", "time", "decide", "health"] as const;

export function Frame({ children }: { children: ComponentChildren }) {
  const route = useRoute();
  const mine = useStore(whose);
  const [isOpen, open] = useState(false);
  const current = route.page === "memory" ? "known" : route.page;
  return (
    <>
      <a
        class="skip"
        href="#title"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("title")?.focus();
        }}
      >
        {w.skip}
      </a>
      <header class="frame">
        <a class="brand" href={to("ask")}>
          <Mark /> {w.app}
        </a>
        <nav aria-label={w.nav.label}>
          <ul>
            {PAGES.map((page) => (
              <li key={page}>
                <a href={to(page)} aria-current={page === current ? "page" : undefined}>
                  <Icon name={page as IconName} />
                  <span class="long">{w.nav[page]}</span>
                  <span class="short" aria-hidden="true">
                    {w.short[page]}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <button type="button" class="button quiet settings-open" onClick={() => open(true)} aria-haspopup="dialog">
          <Icon name="settings" />
          <span class="settings-name">
            {w.settings.open}
            {(mine.user || mine.project || mine.all_projects) && (
              <small>
                {[mine.user, mine.all_projects ? w.settings.allProjects : mine.project].filter((each) => each !== null).map((each) => line(each, 24)).join(" · ")}
              </small>
            )}
          </span>
        </button>
      </header>
      <main>
        <LostBanner />
        <ReadOnlyBanner />
        {children}
      </main>
      <Toasts />
      {isOpen && <Settings onClose={() => open(false)} />}
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" class="mark">
      <path d="M9 22 16 9l7 13M11.6 17.500h8.800" fill="none" stroke="currentColor" stroke-width="2.200" />
      <circle cx="16" cy="9" r="3.200" />
      <circle cx="9" cy="22" r="3.200" />
      <circle cx="23" cy="22" r="3.200" />
    </svg>
  );
}

function LostBanner() {
  const isGone = useStore(isLost);
  return (
    <div role="alert" class="lost">
      {isGone && (
        <p>
          <Icon name="warn" /> {w.state.lost}
        </p>
      )}
    </div>
  );
}

function ReadOnlyBanner() {
  if (!useStore(isReadOnly)) return null;
  return (
    <p class="read-only" role="note">
      <Icon name="lock" /> {w.state.readOnly}
    </p>
  );
}

function Settings({ onClose }: { onClose: () => void }) {
  const mine = useStore(whose);
  const [spoken, painted] = [useStore(language), useStore(theme)];
  const [user, setUser] = useState(mine.user ?? "");
  const [project, setProject] = useState(mine.project ?? "");
  const projects = useLoaded((signal) => get<string[]>("/projects", {}, signal), [mine]);
  const name = "[A-Za-z0-9._:@\\-]{1,200}";
  return (
    <Dialog title={w.settings.title} onClose={onClose}>
      <div class="pair">
        <Field label={w.settings.language}>
          {(id) => (
            <select id={id} value={spoken} onChange={(event) => (language.value = event.currentTarget.value as Language)}>
              <option value="en" lang="en">
                English
              </option>
              <option value="ru" lang="ru">
                Русский
              </option>
            </select>
          )}
        </Field>
        <Field label={w.settings.theme}>
          {(id) => (
            <Select
              id={id}
              value={painted}
              options={(["auto", "light", "dark"] as const).map((each) => [each, w.settings[each]])}
              onChoose={(value) => (theme.value = value as Theme)}
            />
          )}
        </Field>
      </div>
      <Form
        onSubmit={() => {
          whose.value = { user: user.trim() || null, project: project.trim() || null, all_projects: mine.all_projects && !project.trim() };
          onClose();
        }}
      >
        <h3>{w.settings.whose}</h3>
        <Field label={w.settings.user} hint={w.settings.userHint}>
          {(id, hint) => <input id={id} aria-describedby={hint} value={user} pattern={name} onInput={(event) => setUser(event.currentTarget.value)} />}
        </Field>
        <Field label={w.settings.project} hint={w.settings.projectHint}>
          {(id, hint) => (
            <>
              <input
                id={id}
                aria-describedby={hint}
                value={project}
                pattern={name}
                list={`${id}-known`}
                onInput={(event) => setProject(event.currentTarget.value)}
              />
              <datalist id={`${id}-known`}>
                {projects.data?.map((each) => <option key={each} value={each} />)}
              </datalist>
            </>
          )}
        </Field>
        <div class="actions">
          <Button submit kind="primary">
            {w.settings.apply}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Asks for the token, where the server does. */
export function Gate() {
  const [given, write] = useState("");
  const [isWrong, wrong] = useState(false);

  async function enter(): Promise<void> {
    const before = token.value;
    token.value = given.trim();
    try {
      await get("/stats");
      isLocked.value = false;
    } catch {
      token.value = before;
      wrong(true);
    }
  }

  return (
    <main class="gate">
      <Mark />
      <Title about={w.gate.about}>{w.gate.title}</Title>
      <Form onSubmit={() => void enter()}>
        <Field label={w.gate.label} hint={w.gate.private}>
          {(id, hint) => (
            <input
              id={id}
              type="password"
              autocomplete="off"
              aria-describedby={hint}
              aria-invalid={isWrong}
              value={given}
              onInput={(event) => write(event.currentTarget.value)}
            />
          )}
        </Field>
        {isWrong && (
          <p class="wrong" role="alert">
            {w.gate.wrong}
          </p>
        )}
        <Button submit kind="primary" disabled={!given.trim()}>
          {w.gate.enter}
        </Button>
      </Form>
    </main>
  );
}
