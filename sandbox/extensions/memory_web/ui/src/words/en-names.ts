/** What the interface calls things, in English. */

export const names: Record<"edge" | "event" | "category" | "entityKind" | "predicate", Record<string, string>> = {
  edge: {
    temporal: "said near",
    causal: "cause of",
    supersedes: "took the place of",
    related_to: "near to",
    entity: "relation from",
    speaker: "said by",
    mentions: "speaks of",
    belongs_to: "belongs to",
    relevant_to: "matters to",
  },
  event: {
    created: "stored",
    corrected: "corrected",
    superseded: "replaced",
    confirmed: "confirmed",
    forgotten: "forgotten",
    restored: "restored",
    reopened: "true again",
    pruned: "faded",
    merged: "became part of another",
    unmerged: "taken apart again",
    erased: "erased",
    closed: "ended",
    linked: "joined",
  },
  category: {},
  entityKind: {},
  predicate: {},
};
