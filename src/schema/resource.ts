import type { CommonFacts, Field, Fields, FieldTypes, Tone, ValuesOf } from './field-types.ts'
import type { Role } from './roles.ts'
import type { Rule } from './rule.ts'
import type { Label } from './words.ts'

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]
export type Order = 'asc' | 'desc'
export const verbs = ['list', 'show', 'create', 'edit', 'delete'] as const
export type Verb = (typeof verbs)[number]

/** A value that an action sends or sets: a constant, or `$now`, `$user.id`, `$record.x`, `$row.x`, `$form.x`, `$from.x`. */
export type Template = string | number | boolean | null

/**
 * Asked for while a form is filled in, as soon as every value of the query is there: `[{ checks: [{ code, ok, text, found }] }]`.
 * The server holds the request itself against the same conditions. `override`: the text field of the form that asks why it is to go
 * ahead; shown where every check that fails is `overridable`, and the reason of the entry in the journal.
 */
export type Checks = { from: string; query: Readonly<Record<string, Template>>; override?: string }

/**
 * An action beyond the five verbs. `on`: place of its button (record head and row menu, rows of a tab, list head, selection).
 * `call` defaults to PUT {resource}/{id}/{action}; `body` is added to the form's values. Without a handler the server writes
 * the form's values that are fields of the record, and `set`.
 */
export type Action = {
  /** Checks before the form is sent. */
  checks?: Checks
  label: Label
  icon?: string
  on?: 'record' | 'row' | 'list' | 'bulk'
  call?: readonly [Method, string]
  /** A reference of the record: the call is an action of what it points to, whose id is sent. */
  through?: string
  /** Boolean field of the record: the action is offered only where it is true. */
  permit?: string
  /** A path whose answer fills the form before it opens; `$from.x` in `body` reads it too. Without it the record's own values do. */
  from?: string
  form?: Fields
  /** The form's field that says why, which the journal keeps; without it the one called `reason`. */
  reason?: string
  /** Values that the form begins with where the record has none of their name: `$record.x`. */
  start?: Readonly<Record<string, Template>>
  /** Rows of a related tab that the action ends: the dialog names them. */
  ends?: { tab: string; label: Label; when: Rule }
  body?: Readonly<Record<string, Template>>
  set?: Readonly<Record<string, Template>>
  /** Fields of the record that it writes although `access.write` closes them to the caller; others of them its form leaves out. */
  writes?: readonly string[]
  when?: Rule
  roles?: readonly Role[]
  confirm?: { title?: Label; body: Label; danger?: true; typeToConfirm?: string }
  success?: Label
  refresh?: readonly string[]
  guard?: Guard
  reveals?: Reveal
  /** The call answers a record of this resource, and the console goes there. */
  opens?: string
}

/**
 * A secret that an action answers under the name `value`. The console shows it once, in a dialog with `text` beside it; neither end keeps
 * it, so that asking again makes another.
 */
export type Reveal = { value: string; label: Label; text: Label }

/**
 * Guarded values of a form. The answer of the action's `from` lists at `fields` the values of `group` that are guarded, and at
 * `refusal` why the viewer may not change them; null = allowed. A change needs the record's `equals` typed into the form's
 * `confirm`.
 */
export type Guard = {
  group: string
  fields: string
  refusal: string
  confirm: string
  equals: string
  /** `{value}` is what has to be typed. */
  ask: Label
  refusals: Readonly<Record<string, Label>>
}

/** A sub-page of a record: a related list, some of its sections, or a widget that the console knows by name. */
export type Tab = { label: Label; roles?: readonly Role[] } & (
  | {
      /** Rows of another resource, read from `from`; otherwise those that reference this record, or that `match` selects. */
      resource: string
      from?: string
      match?: Readonly<Record<string, string>>
      columns?: readonly string[]
      actions?: readonly string[]
      rowActions?: readonly string[]
      /** Its rows open inside this record, under this segment: `package` gives `{id}/package/{id of the row}`. */
      opens?: string
    }
  /** Some of its sections, under a widget if one is named. */
  | { sections: readonly string[]; widget?: string }
  | { widget: string; actions?: readonly string[] }
)

export type Section<Path extends string = string> = readonly Path[] | { label: Label; fields: readonly Path[]; when?: Rule }

export type ListFacts<Path extends string = string> = {
  columns?: readonly Path[]
  filters?: readonly Path[]
  search?: readonly Path[]
  sort?: { field: Path; order: Order }
  limit?: 10 | 20 | 25 | 50 | 100 | 200
  tone?: Readonly<Partial<Record<Tone, Rule>>>
  bulk?: readonly string[]
  /** Facets: counts of a field's values, read from `from` with the list's parameters; shown as filter chips. */
  facet?: { field: Path; from: string }
  views?: Readonly<Record<string, { label: Label; filters: ListFilters }>>
}

/** Filters of a list by address key: `status`, `createdAt_gte`. */
export type ListFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

export const figurePlaces = ['now', 'updates', 'tidy', 'spread'] as const
export const figureTones = ['info', 'warn', 'bad'] as const

/**
 * A figure of the dashboard. The server counts the rows of the list with `filters`, where `$now` and `$weekAgo` are times; the
 * console shows the count in the card `place`, linked to that list. A role sees the figures of lists that it may open and
 * filter.
 */
export type Figure<Path extends string = string> = { place: (typeof figurePlaces)[number]; filters?: ListFilters } & (
  | { label: Label; tone: (typeof figureTones)[number]; by?: undefined }
  | FigureSplit<Path>
)

/** A figure split by the values of a field. */
type FigureSplit<Path extends string> = {
  by: Path
  /** Default: the labels of the list and the field. */
  label?: Label
  /** Choices without rows are shown, too. */
  whole?: true
  worstFirst?: true
  /** The resource whose field `match` holds the values, and its field that gives each of them a state. */
  states?: { resource: string; match: string; field: string }
}

export type Access = { [V in Verb]?: readonly Role[] }

/** API paths other than `name` and `name/{id}`; false = no such call. */
export type Api = {
  list?: string | false
  show?: string | false
  create?: string | false
  update?: string | false
  delete?: string | false
}

/**
 * A journal records changes: the fields that hold a record's resource, id, title, the action, its reason, and the values before
 * and after. Every record shows its entries as History, with these columns.
 */
export type Journal<Path extends string = string> = {
  kind: Path
  id: Path
  title: Path
  action: Path
  reason: Path
  before: Path
  after: Path
  columns: readonly Path[]
  /** Values in `before` and `after` that are no field of the record. */
  details?: Fields
}

/** A resource as data: see the README. Path = field names allowed in layouts, F = its fields. */
export type Resource<Path extends string = string, F = Fields> = {
  /** API segment, singular kebab-case: `control-pcb`. */
  name: string
  label: { one: Label; many: Label }
  fields: F
  /** Path of the console's pages when it is not the name. */
  route?: string
  /** Not in the menu; pages exist as far as `access` allows. */
  menu?: false
  icon?: string
  /** Title field in headings, references and confirmations; default: the first text-like one. */
  title?: Path
  /** Fields that travel with a reference to this resource, beside id. Default: the title. */
  summary?: readonly Path[]
  live?: true
  journal?: Journal<Path>
  /** Rows of another resource's table: those with exactly these values (a client is a user with the role client). */
  subset?: { of: string; where: Readonly<Record<string, string>> }
  /** Boolean field of the record: editing and deleting are offered only where it is true. */
  permit?: Path
  /** The records that can be edited or deleted; for others neither is offered. Rules of the server may refuse more. */
  when?: { edit?: Rule; delete?: Rule }
  list?: ListFacts<Path>
  sections?: Readonly<Record<string, Section<Path>>>
  /** A widget above the tabs. */
  head?: string
  tabs?: Readonly<Record<string, Tab>>
  actions?: Readonly<Record<string, Action>>
  access?: Access
  figures?: Readonly<Record<string, Figure<Path>>>
  /** Checks before a new record is sent. */
  checks?: Checks
  /** Row scope by role; a role without an entry sees all rows. */
  scope?: Readonly<Partial<Record<Role, Rule>>>
  api?: Api
  rules?: readonly { rule: Rule; at: Path; message: Label }[]
}

export type AnyResource = Resource

type FactsOf<T> = T extends keyof FieldTypes ? keyof CommonFacts | 'type' | keyof FieldTypes[T]['facts'] : never
/** A misspelt fact of a field does not compile. */
type NoStrayKeys<F> = {
  [K in keyof F]: F[K] extends { type: infer T } ? F[K] & { [X in Exclude<keyof F[K], FactsOf<T>>]: never } : F[K]
}

/** `socPct`, and for a group also `location.timezone`. */
type PathOf<F> = {
  [K in keyof F & string]: F[K] extends { type: 'group'; fields: infer G } ? K | `${K}.${keyof G & string}` : K
}[keyof F & string]

export type SystemName = 'id' | 'version' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'

/** Identity at run time: a definition is plain data. Names in layouts, facts and translations are checked by its types. */
export function defineResource<const F extends Fields>(
  resource: Resource<NoInfer<PathOf<F>> | SystemName, F> & { fields: NoStrayKeys<F> },
): Resource<PathOf<F> | SystemName, F> {
  return resource
}

/** A record of a definition as it travels: `RecordOf<typeof ess>['chemistry']` is 'LFP' | 'NMC' | … @public for widgets */
export type RecordOf<R> = R extends { fields: infer F }
  ? { id: string; version: number; createdAt: string; updatedAt: string } & ValuesOf<F>
  : never

/** Fields that every record has and no definition writes down. */
export const systemFields = {
  id: { type: 'text', label: ['Id', 'Идентификатор'], readOnly: true },
  version: { type: 'integer', label: ['Version', 'Версия'], readOnly: true },
  createdAt: { type: 'dateTime', label: ['Created', 'Создано'], readOnly: true },
  createdBy: { type: 'reference', label: ['Created by', 'Кем создано'], readOnly: true, to: 'user' },
  updatedAt: { type: 'dateTime', label: ['Updated', 'Изменено'], readOnly: true },
  updatedBy: { type: 'reference', label: ['Updated by', 'Кем изменено'], readOnly: true, to: 'user' },
} as const satisfies Record<SystemName, Field>
