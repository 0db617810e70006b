import type { ResourceRules } from '#server/engine/records/resource-rules.ts'

/** A maker calls no two of his models the same. */
export const essModelRules: ResourceRules = {
  indexes: ['create unique index if not exists "ess_model_name_ix" on "ess_model" ("manufacturer", "model")'],
}
