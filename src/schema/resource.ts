import type { Checks, Confirm, Guard, Reveal, Template } from './facts/action-facts.ts'
import type { EmptyList } from './facts/empty-facts.ts'
import type { CommonFacts } from './facts/field-facts.ts'
import type { Figure, ListFilters } from './facts/figure-facts.ts'
import type { Inbox } from './facts/inbox-facts.ts'
import type { Journal } from './facts/journal-facts.ts'
import type { MenuCount, MenuGroup } from './facts/menu-facts.ts'
import type { Outlook } from './facts/outlook-facts.ts'
import type { Tab } from './facts/tab-facts.ts'
import type { Sentence } from './facts/why-facts.ts'
import type { Field, Fields, FieldTypes, Tone, ValuesOf } from './field-types.ts'
import type { Role } from './roles.ts'
import type { Rule } from './rule.ts'
import type { Label } from './words.ts'

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]
export type Order = 'asc' | 'desc'
export const verbs = ['list', 'show', 'create', 'edit', 'delete'] as const
export type Verb = (typeof verbs)[number]

/** An action beyond the five verbs. Without a handler the server writes the form's values that are fields of the record, and `set`. */
export type Action = {
  /** Checks before the form is sent. */
  checks?: Checks
  /** Words of the button. */
  label: Label
  /** Picture of the button. */
  icon?: string
  /** Letter that starts it in a list, on the row that the keyboard is on. */
  key?: string
  /** Place of the button: head of the record and menu of its row, rows of a tab, head of the list, selection. */
  on?: 'record' | 'row' | 'list' | 'bulk'
  /** Method and path; without it `PUT {resource}/{id}/{action}`, for an action of a list `POST {resource}/{action}`. */
  call?: readonly [Method, string]
  /** A reference of the record: the call is an action of what it points to, whose id is sent. */
  through?: string
  /** Boolean field of the record: the action is offered only where it is true. */
  permit?: string
  /** A path whose answer fills the form before it opens; `$from.x` in `body` reads it too. Without it the record's own values do. */
  from?: string
  /** Fields that the dialog asks for. */
  form?: Fields
  /** The form's field that says why, which the journal keeps; without it the one called `reason`. */
  reason?: string
  /** Values that the form begins with where the record has none of their name: `$record.x`. */
  start?: Readonly<Record<string, Template>>
  /** Rows of a related tab that the action ends: the dialog names them. */
  ends?: { tab: string; label: Label; when: Rule }
  /** Values that are sent beside those of the form. */
  body?: Readonly<Record<string, Template>>
  /** Values that the server writes to the record; a state goes along `next` only, from every state that `when` admits. */
  set?: Readonly<Record<string, Template>>
  /** Fields of the record that it writes although `access.write` closes them to the caller; others of them its form leaves out. */
  writes?: readonly string[]
  /** Records that offer it. */
  when?: Rule
  /** Roles that may run it; without it those that may edit. */
  roles?: readonly Role[]
  /** Step-up: it runs for a caller only who has confirmed by password or second factor a short while ago. */
  fresh?: true
  /** Question before it runs. The console asks; the API runs the action without it. */
  confirm?: Confirm
  /** Notification when it is done. */
  success?: Label
  /** Further resources whose data it changes. */
  refresh?: readonly string[]
  /** Values that need a typed confirmation. */
  guard?: Guard
  /** A secret that its answer shows once. */
  reveals?: Reveal
  /** The call answers a record of this resource, and the console goes there. */
  opens?: string
}

/** Fields under a heading, in the record and in the form; `when`: the records that show it. */
export type Section<Path extends string = string> = readonly Path[] | { label: Label; fields: readonly Path[]; when?: Rule }

/** The list of a resource. What is left out is derived from the fields. */
export type ListFacts<Path extends string = string> = {
  /** Columns that are shown at first. */
  columns?: readonly Path[]
  /** Fields that are offered as filters. */
  filters?: readonly Path[]
  /** Fields that the search looks into. */
  search?: readonly Path[]
  /** Order that it opens in; without it the newest first. */
  sort?: { field: Path; order: Order }
  /** Rows of a page; 25 without it. */
  limit?: 10 | 20 | 25 | 50 | 100 | 200
  /** Tone of a row by the first rule that holds. */
  tone?: Readonly<Partial<Record<Tone, Rule>>>
  /** Actions that run on selected rows. */
  bulk?: readonly string[]
  /** Facets: counts of a field's values, read from `from` with the list's parameters; shown as filter chips. */
  facet?: { field: Path; from: string }
  /** The two lines of a row of the inbox; without it title and state. */
  card?: readonly [readonly Path[], readonly Path[]]
  /** Page on which its rows are worked off one after the other. */
  inbox?: Inbox<Path>
  /** Named sets of filters above the list. */
  views?: Readonly<Record<string, { label: Label; filters: ListFilters }>>
  /** Words of the list while it has no row. */
  empty?: EmptyList
}

/** Roles per verb. Without `access` everything is the admin's; with it, a verb that is left out is nobody's (`show` follows `list`). */
export type Access = { [V in Verb]?: readonly Role[] }

/** API paths other than `name` and `name/{id}`; false = no such call. */
export type Api = {
  /** Rows of the list. */
  list?: string | false
  /** One record. */
  show?: string | false
  /** A new record. */
  create?: string | false
  /** A change. */
  update?: string | false
  /** Removal. */
  delete?: string | false
}

/** A resource as data. `Path`: the names of its fields, groups looked into; `F`: the fields. */
export type Resource<Path extends string = string, F = Fields> = {
  /** API segment, singular kebab-case: `control-pcb`. */
  name: string
  /** Its name for one and for many. */
  label: { one: Label; many: Label }
  /** Its fields, in the order of forms and records. */
  fields: F
  /** Path of the console's pages when it is not the name. */
  route?: string
  /** Group of the menu that it stands in, and a live count there; false = not in the menu, pages exist as far as `access` allows. */
  menu?: false | { group: MenuGroup; count?: MenuCount }
  /** Picture in the menu. */
  icon?: string
  /** Title field in headings, references and confirmations; default: the first text-like one. */
  title?: Path
  /** Fields that travel with a reference to this resource, beside id; the first is its name there. Default: the title. */
  summary?: readonly Path[]
  /**
   * Fields of its summary that a reference shows by role, also of records that the role may not see. Without it a reference to such a
   * record is its id alone.
   */
  unseen?: Readonly<Partial<Record<Role, readonly Path[]>>>
  /** Open pages follow its changes at once. */
  live?: true
  /** Reads of a single record by others are written to the audit log, once an hour for each reader. */
  logsReads?: true
  /** It records the changes of all others. */
  journal?: Journal<Path>
  /** Rows of another resource's table: those with exactly these values (a client is a user with the role client). */
  subset?: { of: string; where: Readonly<Record<string, string>> }
  /** Boolean field of the record: editing and deleting are offered only where it is true. */
  permit?: Path
  /** The records that can be edited or deleted; for others neither is offered. Rules of the server may refuse more. */
  when?: { edit?: Rule; delete?: Rule }
  /**
   * Left out of the import of CSV files: for records that each need a file, a check or a confirmation of their own. Without it admins bring
   * in records that they may make.
   */
  import?: false
  /** Its list. */
  list?: ListFacts<Path>
  /** Headings of record and form with their fields; those that several definitions share bring their label. */
  sections?: Readonly<Record<string, Section<Path>>>
  /** Why a record is as it is, in one sentence below its heading. */
  why?: readonly Sentence[]
  /** A widget above the tabs. */
  head?: string
  /** Sub-pages of a record, by segment of the address. */
  tabs?: Readonly<Record<string, Tab>>
  /** Named verbs beyond create, edit and delete. */
  actions?: Readonly<Record<string, Action>>
  /** Roles per verb. */
  access?: Access
  /** Figures of the dashboard. */
  figures?: Readonly<Record<string, Figure<Path>>>
  /** Checks before a new record is sent. */
  checks?: Checks
  /** Records that its form takes in, counted while it is filled in. */
  outlook?: Outlook<Path>
  /** Row scope by role; a role without an entry sees all rows. */
  scope?: Readonly<Partial<Record<Role, Rule>>>
  /** Paths of its calls, where they differ. */
  api?: Api
  /** Sets of fields: no two records have the same values of a whole set. One of them empty is no value. */
  unique?: readonly (readonly Path[])[]
  /** Conditions that every record keeps; `message` stands at the field `at`. */
  rules?: readonly { rule: Rule; at: Path; message: Label }[]
  /** The names that it had before, the last one first: `npm run plan -- --apply` takes their rows over. */
  was?: string | readonly string[]
  /** Fields, and parts as in `office.pin`, that it has no more and whose values may go: `npm run plan -- --apply` moves them to the archive. */
  gone?: readonly string[]
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
