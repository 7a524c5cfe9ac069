/** What an assistant would be given for a prompt, why, and what was just below the line. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { post } from "../api";
import { useCurrent } from "../loading";
import { Limits, utc } from "../parts/limits";
import { Awaited, Button, Empty, Form, Meter, Section, Tag, Title, useFolded } from "../parts/basics";
import { Actions, MemoryRow, Teller } from "../parts/memories";
import { line, seen, Text } from "../parts/text";
import { changed, go, to, useRoute } from "../route";
import type { BlockItem, Hit, LeftOut, ExplainedContext } from "../types";
import { called, dayOf, moment, number, percent, w } from "../words";

const NAMED = new Set(["mentions", "belongs_to", "relevant_to"]); // edges that begin at a name; others begin at a memory
const SHOWN = 12; // of what was left out, before more is asked for

export function AskPage() {
  const route = useRoute();
  const asked = route.query.get("q") ?? "";
  const [draft, write] = useState(asked);
  useEffect(() => write(asked), [asked]);

  function look(prompt: string): void {
    if (prompt.trim()) go(changed(route, { q: prompt }));
  }

  return (
    <>
      <Title about={w.ask.about}>{w.ask.title}</Title>
      <Form kind="ask" role="search" onSubmit={() => look(draft)}>
        <label for="prompt">{w.ask.prompt}</label>
        <textarea
          id="prompt"
          rows={2}
          dir="auto"
          placeholder={w.ask.placeholder}
          value={draft}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <div class="ask-go">
          <Button submit kind="primary" icon="search" disabled={!draft.trim()}>
            {w.ask.look}
          </Button>
          <kbd>{w.ask.keys}</kbd>
        </div>
      </Form>
      <Limits />
      {asked ? (
        <Answer prompt={asked} />
      ) : (
        <Empty title={w.ask.start}>
          <p>{w.ask.startHint}</p>
          <ul class="examples">
            {w.ask.examples.map((each) => (
              <li key={each}>
                <a href={to("ask", null, { q: each })}>{each}</a>
              </li>
            ))}
          </ul>
        </Empty>
      )}
    </>
  );
}

function Answer({ prompt }: { prompt: string }) {
  const route = useRoute();
  const limits = {
    budget: Number(route.query.get("budget")) || undefined,
    now: utc(route.query.get("now")),
    true_on: utc(route.query.get("true_on")),
    known_on: utc(route.query.get("known_on")),
  };
  const answer = useCurrent((signal) => post<ExplainedContext>("/context/explain", { prompt, ...limits }, {}, signal), [prompt, limits]);
  const { data, error, isLoading, again } = answer;
  if (error || !data) return <Awaited of={answer} />;
  return (
    <div class={isLoading ? "answer is-loading" : "answer"} aria-busy={isLoading}>
      <Given found={data} again={again} />
      <Teller onDone={again} />
      <Below found={data} />
      <p class="visually-hidden" role="status">
        {isLoading ? w.state.loading : w.ask.items(data.block.items.length)}
      </p>
    </div>
  );
}

function Given({ found, again }: { found: ExplainedContext; again: () => void }) {
  const { block } = found;
  const hits = useMemo(() => new Map(found.found.map((hit) => [hit.id, hit])), [found]);
  const texts = useMemo(() => new Map([...found.found, ...block.items].map(({ id, content }) => [id, content])), [found]);
  const [pointed, point] = useState<string | null>(null);
  if (block.items.length === 0) return <Empty title={w.ask.nothing}>{w.ask.nothingHint}</Empty>;
  return (
    <>
      <div class="measures">
        <Meter label={w.ask.budget} told={w.ask.of(block.tokens, found.budget)} value={block.tokens / found.budget} />
        <Meter label={w.ask.confidence} told={percent(block.confidence)} value={block.confidence} />
      </div>
      <div class="columns">
        <Section id="items" title={w.ask.items(block.items.length)}>
          <ul class="cards">
            {block.items.map((item) => (
              <li key={item.id} id={`item-${item.id}`} class={`card ${pointed === item.id ? "is-pointed" : ""}`} tabIndex={-1}>
                <Item item={item} hit={hits.get(item.id)} texts={texts} again={again} />
              </li>
            ))}
          </ul>
        </Section>
        <Section id="block" title={w.ask.block} kind="block-side">
          <Block text={block.text} items={block.items} point={point} />
        </Section>
      </div>
    </>
  );
}

/** The very text; a line that is a memory leads to why it is there. */
function Block({ text, items, point }: { text: string; items: BlockItem[]; point: (id: string | null) => void }) {
  const lines = useMemo(() => text.split("\n").map((each) => ({ text: each, id: whoSays(each, items) })), [text, items]);
  return (
    <pre class="block" dir="auto" tabIndex={0} role="group" aria-labelledby="block">
      {lines.map((each, index) => {
        const { id } = each;
        if (id === null) return <span key={index}>{seen(each.text)}{"\n"}</span>;
        return (
          <span
            key={index}
            class="block-line"
            onMouseEnter={() => point(id)}
            onMouseLeave={() => point(null)}
            onClick={() => document.getElementById(`item-${id}`)?.scrollIntoView({ block: "center", behavior: "smooth" })}
          >
            {seen(each.text)}
            {"\n"}
          </span>
        );
      })}
    </pre>
  );
}

function whoSays(text: string, items: BlockItem[]): string | null {
  if (text.length < 4 || text.startsWith("#") || text.startsWith("<")) return null;
  const found = items.find((item) => text.includes(`(${item.id}`)) ?? items.find((item) => text.includes(item.content.slice(0, 80).split("\n")[0]!));
  return found?.id ?? null;
}

type Texts = ReadonlyMap<string, string>; // of memories, by their ids

function Item({ item, hit, texts, again }: { item: BlockItem; hit: Hit | undefined; texts: Texts; again: () => void }) {
  const isTurn = item.type === "episodic";
  return (
    <>
      <div class="card-head">
        <span class="section-name">{w.section[item.section]}</span>
        <span class="when">{isTurn ? moment(item.event_time) : dayOf(item.told, item.event_time)}</span>
        {!item.whole && <Tag>{w.ask.excerpt}</Tag>}
        {item.trust !== "user" && <Tag tone={item.trust === "confirmed" ? "good" : "warn"}>{w.trust[item.trust]}</Tag>}
      </div>
      {item.speaker && <span class="speaker">{line(item.speaker, 60)}</span>}
      <Text>{item.content}</Text>
      <Why section={item.section} hit={hit} texts={texts} />
      {(!isTurn || item.session) && (
        <div class="item-actions">
          <a class="button quiet" href={isTurn ? to("talks", item.session, { turn: item.id }) : to("memory", item.id)}>
            {isTurn ? w.memory.inTalk : w.action.open}
          </a>
          <Actions memory={{ ...item, category: null, subject: null, tags: [], version: 1 }} onChange={again} />
        </div>
      )}
    </>
  );
}

function Why({ section, hit, texts }: { section: BlockItem["section"]; hit: Hit | undefined; texts: Texts }) {
  if (!hit) return <p class="why">{w.why[section]}</p>;
  const legs = Object.entries(hit.legs).map(([leg, rank]) => told(w.why, leg, rank, hit.similarity));
  const edges = hit.edges.filter((edge) => edge.relation !== "speaker").slice(0, 3);
  const isGivenAnyway = section !== "temporal" && section !== "facts";
  const rows: [name: string, told: string][] = [
    ["", isGivenAnyway ? w.why[section] : ""],
    [w.ask.score, number(hit.score, 2)],
    ...legs.map((leg): [string, string] => ["", leg]),
    [w.why.terms, hit.terms.map((term) => line(term, 40)).join(", ")],
    ...edges.map((edge): [string, string] => [called(w.edge, edge.relation), line(NAMED.has(edge.relation) ? edge.seed : (texts.get(edge.seed) ?? ""), 40)]),
  ];
  return (
    <dl class="why" aria-label={w.ask.why}>
      {rows.map(
        ([name, told]) =>
          told && (
            <div key={`${name} ${told}`}>
              {name && <dt>{name}</dt>}
              <dd>{told}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Legs = { [leg: string]: unknown };

function told(names: Legs, leg: string, rank: number, similarity: number | null): string {
  const name = names[leg];
  if (typeof name !== "function") return `${leg} ${rank}`;
  return String(name(rank, similarity === null ? "" : number(similarity, 2)));
}

function Below({ found }: { found: ExplainedContext }) {
  const left = found.found.filter((hit) => hit.id in found.left_out);
  const [shown, more] = useFolded(left, SHOWN);
  if (left.length === 0) return null;
  return (
    <Section id="below" title={w.ask.below} kind="below">
      <p class="hint">
        {w.ask.belowAbout} {w.ask.belowCount(left.length)}
      </p>
      <ol class="rows">
        {shown.map((hit) => (
          <MemoryRow key={hit.id} memory={hit} before={<Tag tone="quiet">{w.reason[found.left_out[hit.id] as LeftOut]}</Tag>}>
            <span class="score">{number(hit.score, 2)}</span>
          </MemoryRow>
        ))}
      </ol>
      {more}
    </Section>
  );
}
