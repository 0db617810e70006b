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
 * The server holds the request itself against the same conditions.
 */
export type Checks = { from: string; query: Readonly<Record<string, Template>> }

/**
 * A verb of a resource beyond the five. `on`: where its button stands (record head and row menu, rows of a tab, list head, selection).
 * `call` defaults to PUT {resource}/{id}/{action}; `body` is sent with the form's values. Where the server has no handler of its own,
 * it writes the form's values that are fields of the record, and `set`.
 */
export type Action = {
  /** What the console asks before the form is sent. */
  checks?: Checks
  label: Label
  icon?: string
  on?: 'record' | 'row' | 'list' | 'bulk'
  call?: readonly [Method, string]
  /** A reference of the record: the call is an action of what it points to, whose id is sent. */
  through?: string
  /** A yes-or-no field of the record that says whether this is the viewer's to do; where it says no, the action is not offered. */
  permit?: string
  /** A path whose answer fills the form before it opens; `$from.x` in `body` reads it too. Without it the record's own values do. */
  from?: string
  form?: Fields
  body?: Readonly<Record<string, Template>>
  set?: Readonly<Record<string, Template>>
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
 * Values in a form that not everybody may change, and nobody by accident. The answer of the action's `from` says at the path
 * `fields` which of `group` they are, and at `refusal` why they are not the viewer's; null = they are. Who changes one types the
 * record's `equals` into the form's `confirm`, which is asked for in no other case.
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
      /** Rows of another resource, read from `from`; without it those whose reference points here, or which `match` says. */
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
  /** How often each value of a field stands in the rows, read with the list's parameters from `from`: chips that filter by it. */
  facet?: { field: Path; from: string }
  views?: Readonly<Record<string, { label: Label; filters: ListFilters }>>
}

/** Filters of a list by address key: `status`, `createdAt_gte`. */
export type ListFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

export const figurePlaces = ['now', 'updates', 'tidy', 'spread'] as const
export const figureTones = ['info', 'warn', 'bad'] as const

/**
 * A figure of the dashboard. The server counts the rows that the list finds with `filters`, where `$now` and `$weekAgo` stand for
 * moments; the console draws the count in the card `place` and links it to that list. A role sees the figures of the lists that it may
 * open, as far as it may read the fields.
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

/** Where the paths of the API are not `name` and `name/{id}`; false = there is no such call. */
export type Api = {
  list?: string | false
  show?: string | false
  create?: string | false
  update?: string | false
  delete?: string | false
}

/**
 * A journal tells what happened to records: the fields that name a record's resource, id and title, what was done and why, and what it had and has.
 * Every record shows the entries about it as its History, with these columns.
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

/** What a resource is, as data: see the README. Path = the names that a layout may mention, F = its fields. */
export type Resource<Path extends string = string, F = Fields> = {
  /** API segment, singular kebab-case: `control-pcb`. */
  name: string
  label: { one: Label; many: Label }
  fields: F
  /** Path of the console's pages when it is not the name. */
  route?: string
  /** Not in the menu; its pages exist only if `access` says so. */
  menu?: false
  icon?: string
  /** The field that stands for a record in headings, references and confirmations; default: the first text-like one. */
  title?: Path
  /** Fields that travel with a reference to this resource, beside id. Default: the title. */
  summary?: readonly Path[]
  live?: true
  journal?: Journal<Path>
  /** Rows of another resource's table: those with exactly these values (a client is a user with the role client). */
  subset?: { of: string; where: Readonly<Record<string, string>> }
  /** A yes-or-no field of the record that says whether editing and deleting it is the viewer's to do. */
  permit?: Path
  list?: ListFacts<Path>
  sections?: Readonly<Record<string, Section<Path>>>
  /** A widget that stands above the tabs, whichever of them is open. */
  head?: string
  tabs?: Readonly<Record<string, Tab>>
  actions?: Readonly<Record<string, Action>>
  access?: Access
  figures?: Readonly<Record<string, Figure<Path>>>
  /** What the console asks before a new record is sent. */
  checks?: Checks
  /** Which rows a role may see at all; a role without a row sees all. */
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
