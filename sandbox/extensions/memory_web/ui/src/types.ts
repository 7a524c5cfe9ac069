/** What the REST interface answers. `make ui` writes `server.d.ts`, from the OpenAPI document. */

import type * as server from "./server";

export type * from "./server";
export type {
  ErasureReport as Erasure,
  LearningReport as Learning,
  MemoryItem as ListedMemory,
  NightRun as Night,
  Record as StoredMemory,
  SessionReport as Session,
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
