/** What the REST interface answers; `/openapi.json` says it in full. */

export type Kind = "episodic" | "semantic" | "procedural" | "opinion";
type Trust = "confirmed" | "user" | "assistant" | "tool" | "web";
type Section = "instructions" | "core" | "facts" | "profiles" | "related" | "temporal" | "evidence";
export type LeftOut = "irrelevant" | "far_behind" | "said_already" | "no_room" | "unsure";

export interface Memory {
  id: string;
  content: string;
  type: Kind;
  category: string | null;
  subject: string | null;
  tags: string[];
  trust: Trust;
  version: number;
  pinned?: boolean; // where it is told
}

export interface ListedMemory extends Memory {
  created_at: string;
  updated_at: string | null;
}

export interface MemoryList {
  memories: ListedMemory[];
  total: number;
  next: string | null;
}

export interface StoredMemory extends Memory {
  role: string | null;
  speaker: string | null;
  session: string | null;
  source: string;
  importance: number;
  confidence: number;
  access_count: number;
  event_time: string;
  valid_from: string;
  valid_until: string | null;
  created_at: string;
  fades_at: string | null;
  retired_by: string | null;
  told: string | null;
}

export interface Claim {
  subject: string;
  predicate: string;
  value: string;
  is_affirmed: boolean;
  modality: string;
  time: string | null;
}

interface Change {
  seq: number;
  at: string;
  event: string;
  actor: string | null;
  detail: Record<string, unknown>;
  interface: string | null;
  reason: string | null;
}

export interface Explanation {
  memory: StoredMemory;
  versions: StoredMemory[];
  sources: StoredMemory[];
  supersedes: StoredMemory[];
  superseded_by: StoredMemory[];
  possible_conflicts: StoredMemory[];
  entities: string[];
  changes: Change[];
  claims: Claim[];
}

export interface Confidence {
  at: string;
  confidence: number;
}

export interface Proposal {
  memory: StoredMemory;
  fields: string[];
  instead_of: { value: string; id: string; content: string }[];
  until: string;
}

export interface Conflict {
  first: StoredMemory;
  second: StoredMemory;
}

export interface Undone {
  change: number | null;
  steps: { outcome: string; id: string | null; content: string | null; reason: string | null }[];
}

interface Walked {
  relation: string;
  seed: string;
}

export interface Hit extends Memory {
  score: number;
  event_time: string;
  session: string | null;
  speaker: string | null;
  legs: Record<string, number>;
  similarity: number | null;
  terms: string[];
  edges: Walked[];
}

export interface BlockItem {
  id: string;
  content: string;
  type: Kind;
  section: Section;
  event_time: string;
  speaker: string | null;
  session: string | null;
  trust: Trust;
  whole: boolean;
}

export interface ExplainedContext {
  block: { text: string; tokens: number; confidence: number; items: BlockItem[] };
  budget: number;
  found: Hit[];
  left_out: Record<string, LeftOut>;
}

export interface Counts {
  type: Record<string, number>;
  category: Record<string, number>;
  subject: Record<string, number>;
  trust: Record<string, number>;
}

export interface Session {
  id: string;
  turns: number;
  first: string;
  last: string;
  source: string;
  waits: boolean;
}

export interface Said {
  turn: StoredMemory;
  learnt: StoredMemory[];
}

export interface PassedOver {
  id: string;
  reasons: string[];
}

export interface Turns {
  turns: Said[];
  total: number;
  offset: number;
}

export interface Erasure {
  turns: number;
  learnt: number;
  restored: number;
  exports: { file: string }[];
}

export interface Learning {
  learnt: StoredMemory[];
  skipped: Record<string, number>;
}

export interface Entity {
  id: string;
  name: string;
  type: string;
  mentions: number;
  first_seen: string;
  last_seen: string;
}

export interface Relation {
  subject: string;
  predicate: string;
  value: string;
  id: string;
  since: string;
  is_affirmed: boolean;
}

export interface EntityProfile extends Entity {
  aliases: string[];
  summary: string | null;
  facts: StoredMemory[];
  timeline: StoredMemory[];
  relations: Relation[];
  merged: string[];
  namesakes: Record<string, string>;
}

export interface Joined {
  source: string;
  target: string;
  predicate: string | null;
  id: string;
  is_affirmed: boolean;
  memories: number;
}

export interface Neighbourhood {
  centre: string;
  entities: { id: string; name: string; type: string }[];
  edges: Joined[];
}

export interface Day {
  day: string;
  said: number;
  learnt: number;
  retired: number;
}

export interface KnowledgeChange {
  change: Change;
  memory: StoredMemory | null;
}

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  advice: string | null;
  finding: string | null;
  values: Record<string, any>;
}

export interface Spent {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}

export interface Spending extends Spent {
  day: string;
  step: string;
}

export interface Trouble {
  at: string;
  where: string;
  problem: string;
  finding: string;
  values: Record<string, string>;
}

/** The kind of people and things of which nothing better is known. */
export const UNKNOWN = "concept";

export interface Night {
  at: string;
  seconds: number;
  steps: { step: string; status: "done" | "skipped" | "failed"; seconds: number; error: string | null }[];
  changes: Record<string, number>;
}

export interface Failures {
  interface: string;
  operation: string;
  error: string;
  client: string | null;
  count: number;
  latest: string;
}

export interface Statistics {
  nodes: Record<string, number>;
  retired: Record<string, number>;
  entities: number;
  sessions: number;
  sessions_pending: number;
  vectors: number;
  embedding_backlog: number;
  database_bytes: number;
  changes: number;
  writes: Record<string, number>;
}
