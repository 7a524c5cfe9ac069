/** What the REST interface answers. `make ui` writes `server.d.ts`, from the OpenAPI document. */

import type * as server from "./server";

export type {
  BlockItem,
  Claim,
  Confidence,
  Conflict,
  Counts,
  Day,
  Entity,
  EntityEdge,
  EntityProfile,
  ErasureReport as Erasure,
  Explanation,
  Failures,
  Hit,
  KnowledgeChange,
  LearningReport as Learning,
  MemoryItem as ListedMemory,
  MemoryList,
  Neighbourhood,
  NightRun as Night,
  PassedOver,
  Proposal,
  Record as StoredMemory,
  Relation,
  SessionReport as Session,
  Spending,
  Spent,
  Statistics,
  Trouble,
  Turns,
  TurnWithKnowledge,
  UndoReport,
} from "./server";

export type Kind = server.Record["type"];
export type LeftOut = server.ExplainedBlock["left_out"][string];
export type ExplainedContext = server.ExplainedBlock & { block: server.Block };
export type Check = server.Check & { values: Record<string, any> }; // each finding has its own

/** What is told of a memory wherever it is shown. */
export type Memory = Pick<server.Hit, "id" | "content" | "type" | "category" | "subject" | "tags" | "trust" | "version"> & {
  project?: string | null;
  pinned?: boolean;
};

/** The kind of people and things of which nothing better is known. */
export const UNKNOWN = "concept";
