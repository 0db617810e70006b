import type { ResourceRules } from '#server/engine/records/resource-rules.ts'

/** Model names are unique per manufacturer. */
export const essModelRules: ResourceRules = {
  indexes: ['create unique index if not exists "ess_model_name_ix" on "ess_model" ("manufacturer", "model")'],
}
