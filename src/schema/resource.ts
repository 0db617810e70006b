import type { Checks, Confirm, Deletion, Ends, Guard, Reveal, Template } from './facts/action-facts.ts'
import type { EmptyList } from './facts/empty-facts.ts'
import type { Figure, ListFilters } from './facts/figure-facts.ts'
import type { Inbox } from './facts/inbox-facts.ts'
import type { Journal } from './facts/journal-facts.ts'
import type { MenuPlace } from './facts/menu-facts.ts'
import type { Outlook } from './facts/outlook-facts.ts'
import type { SelectionForm } from './facts/selection-facts.ts'
import type { NoStrayKeys } from './facts/stray-keys.ts'
import type { Tab } from './facts/tab-facts.ts'
import type { Sentence } from './facts/why-facts.ts'
import type { Field, Fields, Tone, ValuesOf } from './field-types.ts'
import type { Role } from './roles.ts'
import type { Rule } from './rule.ts'
import type { Label } from './words.ts'

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]
export type Order = 'asc' | 'desc'
export const verbs = ['list', 'show', 'create', 'edit', 'delete'] as const
export type Verb = (typeof verbs)[number]

/**
 * An action beyond the five verbs. Without a handler the server writes the form's values that are fields of the record, and
 * `set`.
 */
export type Action = {
  /** Server-side checks before the form is sent. */
  checks?: Checks
  /** Label of the button. */
  label: Label
  /** Icon of the button. */
  icon?: string
  /** Keyboard shortcut in a list, for the focused row. */
  key?: string
  /** Place of the button: record header and row menu, rows of a tab, list header, selection. */
  on?: 'record' | 'row' | 'list' | 'bulk'
  /** Method and path; default: `PUT {resource}/{id}/{action}`, for a list action `POST {resource}/{action}`. */
  call?: readonly [Method, string]
  /** A reference of the record: the action belongs to its target, whose id is sent. */
  through?: string
  /** Boolean field of the record: the action is offered only while it is true. */
  permit?: string
  /** Path of a call whose answer fills the form; `$from.x` in `body` reads it too. Default: the record's own values. */
  from?: string
  /** Fields of the dialog. */
  form?: Fields
  /** Form field with the reason, recorded in the journal; default: `reason`. */
  reason?: string
  /** Initial form values where the record has no field of that name: `$record.x`. */
  start?: Readonly<Record<string, Template>>
  /** Rows of a related tab that the action ends; the dialog lists them. */
  ends?: Ends
  /** Values sent in addition to the form. */
  body?: Readonly<Record<string, Template>>
  /** Values that the server writes to the record; a state changes along `next` only, from every state that `when` admits. */
  set?: Readonly<Record<string, Template>>
  /**
   * Fields that it writes although `access.write` denies the caller. Other denied fields are left out of its form, and an
   * action whose `set` or `body` writes one is refused.
   */
  writes?: readonly string[]
  /** Condition on the record. */
  when?: Rule
  /** Form fields that choose values for fields of the record: `{ clientId: 'ownerId' }`. A form that changes none is refused. */
  changes?: Readonly<Record<string, string>>
  /** Roles that may run it; default: those that may edit. */
  roles?: readonly Role[]
  /** Step-up authentication: it runs only shortly after the caller has confirmed with a password or second factor. */
  fresh?: true
  /** Confirmation dialog of the console; the API does not ask. */
  confirm?: Confirm
  /** Notification on success. */
  success?: Label
  /** Other resources that it changes. */
  refresh?: readonly string[]
  /** Values that require a typed confirmation. */
  guard?: Guard
  /** A one-time secret in its answer. */
  reveals?: Reveal
  /** The answer is a record of this resource, and the console opens it. */
  opens?: string
}

/** Fields under a heading, in the record and in the form; `when`: condition on the record. */
export type Section<Path extends string = string> = readonly Path[] | { label: Label; fields: readonly Path[]; when?: Rule }

/** A saved filter set of a list. It narrows what is shown; which rows a role may see is said by `scope`. */
export type View = {
  /** Label of its tab. */
  label: Label
  /** Filters of the list; times may be `$today`, or an offset in days: `$today+30d`. */
  filters: ListFilters
  /** Roles that are offered it; default: all that may open the list and read what it filters by. */
  roles?: readonly Role[]
}

/** Facts of a resource's list. Absent ones are derived from the fields. */
export type ListFacts<Path extends string = string> = {
  /** Default columns. */
  columns?: readonly Path[]
  /** Columns behind the mark of a status: `{ openWarnings: 'worstWarning' }`. */
  marks?: Readonly<Partial<Record<Path, Path>>>
  /** Fields offered as filters. */
  filters?: readonly Path[]
  /** Searched fields. */
  search?: readonly Path[]
  /** Default order; without it newest first. */
  sort?: { field: Path; order: Order }
  /** Rows per page; default 25. */
  limit?: 10 | 20 | 25 | 50 | 100 | 200
  /** Tone of a row: the first rule that holds. */
  tone?: Readonly<Partial<Record<Tone, Rule>>>
  /** Actions on selected rows. */
  bulk?: readonly string[]
  /** Forms of other resources, opened with the selected rows in one of their fields. */
  forms?: readonly SelectionForm[]
  /** Facets: counts of a field's values, read from `from` with the list's parameters; shown as filter chips. */
  facet?: { field: Path; from: string }
  /** The two lines of a row on a card; default: title and state. */
  card?: readonly [readonly Path[], readonly Path[]]
  /** Work page of the list; one resource of all has it. */
  inbox?: Inbox<Path>
  /** Saved filter sets, shown as tabs above the list. */
  views?: Readonly<Record<string, View>>
  /** Texts of the empty list. */
  empty?: EmptyList
}

/** Roles per verb. Without `access` only admins have access; with it, an absent verb is denied (`show` follows `list`). */
export type Access = { [V in Verb]?: readonly Role[] }

/**
 * API paths other than `name` and `name/{id}`, of a subset `name` and the paths of the other resource; false = the call does not
 * exist. They are calls of the server of the console, which keeps all records in its own database: a definition names no other API.
 */
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

/** A resource as data. `Path`: field names, with parts of groups; `F`: the fields. */
export type Resource<Path extends string = string, F = Fields> = {
  /** API segment, singular kebab-case: `control-pcb`. */
  name: string
  /** Singular and plural. */
  label: { one: Label; many: Label }
  /** Fields, in the order of forms and records. */
  fields: F
  /** Path of the console's pages; default: the name. */
  route?: string
  /** Place in the menu; false = not in the menu, but its pages exist as far as `access` permits. */
  menu?: false | MenuPlace
  /** Icon in the menu. */
  icon?: string
  /** Title field of headings, references and confirmations; default: the first text-like field. */
  title?: Path
  /** Fields embedded with a reference to this resource, beside the id; the first is its name there. Default: the title. */
  summary?: readonly Path[]
  /** References to what a record is about: its heading names them, with links. */
  about?: readonly Path[]
  /**
   * Summary fields that a reference shows to a role even for records it may not see. Without it such a reference has an id
   * only, and with an empty list not even that: it is as if it were empty, for filters, too.
   */
  unseen?: Readonly<Partial<Record<Role, readonly Path[]>>>
  /** Changes are pushed to open pages. */
  live?: true
  /**
   * Reads of a single record by others are audited, and lists that tell an e-mail or phone number, also in the summary of a
   * reference from another resource; each at most once an hour per reader.
   */
  logsReads?: true
  /** It records the changes of all other resources. */
  journal?: Journal<Path>
  /**
   * Rows of another resource's table with exactly these values (a client is a user with the role client). Only its list has a path
   * of its own: records are made, read, changed and deleted by the paths of the other one, `POST user` and `user/{id}`.
   */
  subset?: { of: string; where: Readonly<Record<string, string>> }
  /** Boolean field of the record: editing and deleting are offered only while it is true. */
  permit?: Path
  /** Texts of the dialog that deletes a record; default: that it is removed. */
  deletion?: Deletion
  /** Rows of related tabs that another value of a field ends; the form of a stored record lists them once it is changed. */
  ends?: Readonly<Partial<Record<Path, Ends>>>
  /** Conditions for editing and deleting. Server rules may refuse more. */
  when?: { edit?: Rule; delete?: Rule }
  /**
   * Excludes the resource from CSV import: for records that need a file, a check or a confirmation each. By default admins may
   * import what they may create.
   */
  import?: false
  /** Its list. */
  list?: ListFacts<Path>
  /** Headings of record and form with their fields; a section with a shared name has a shared label. */
  sections?: Readonly<Record<string, Section<Path>>>
  /** Sentences that explain a record's state; the first that holds is shown below the heading. */
  why?: readonly Sentence[]
  /** A widget above the tabs. */
  head?: string
  /** Sub-pages of a record, by path segment. */
  tabs?: Readonly<Record<string, Tab>>
  /** Verbs beyond create, edit and delete. */
  actions?: Readonly<Record<string, Action>>
  /** Roles per verb. */
  access?: Access
  /** Dashboard figures. */
  figures?: Readonly<Record<string, Figure<Path>>>
  /** Server-side checks before a new record is sent. */
  checks?: Checks
  /** Preview of the records that its form covers. */
  outlook?: Outlook<Path>
  /** Row-level access by role; a role without an entry sees all rows. */
  scope?: Readonly<Partial<Record<Role, Rule>>>
  /** Deviating API paths. */
  api?: Api
  /** Composite unique keys; a key with an empty value is ignored. */
  unique?: readonly (readonly Path[])[]
  /** Conditions that every record must satisfy; `message` is shown at the field `at`. */
  rules?: readonly { rule: Rule; at: Path; message: Label }[]
  /** Former names, most recent first: `npm run plan -- --apply` migrates their rows. */
  was?: string | readonly string[]
  /** Removed fields, and parts as in `office.pin`: `npm run plan -- --apply` moves their values to the archive. */
  gone?: readonly string[]
}

/** A definition as interpreters take it: of any fields, with texts for their names. */
export type AnyResource = Resource

/** `socPct`, and for a group also `location.timezone`, at any depth. */
type PathOf<F> = {
  [K in keyof F & string]: F[K] extends { type: 'group'; fields: infer G } ? K | `${K}.${PathOf<G>}` : K
}[keyof F & string]

export type SystemName = 'id' | 'version' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'

/** Identity at run time: a definition is plain data. The types check names in layouts, facts and translations. */
export const defineResource = <const F extends Fields>(
  resource: Resource<NoInfer<PathOf<F>> | SystemName, F> & { fields: NoStrayKeys<F> },
): Resource<PathOf<F> | SystemName, F> => resource

/** A record of a definition on the wire: `RecordOf<typeof ess>['chemistry']` is 'LFP' | 'NMC' | … @public for widgets */
export type RecordOf<R> = R extends { fields: infer F }
  ? { id: string; version: number; createdAt: string; updatedAt: string } & ValuesOf<F>
  : never

/** Fields of every record, added by the system. */
export const systemFields = {
  id: { type: 'text', label: ['Id', 'Идентификатор'], readOnly: true },
  version: { type: 'integer', label: ['Version', 'Версия'], readOnly: true },
  createdAt: { type: 'dateTime', label: ['Created', 'Создано'], readOnly: true },
  createdBy: { type: 'reference', label: ['Created by', 'Кем создано'], readOnly: true, to: 'user' },
  updatedAt: { type: 'dateTime', label: ['Updated', 'Изменено'], readOnly: true },
  updatedBy: { type: 'reference', label: ['Updated by', 'Кем изменено'], readOnly: true, to: 'user' },
} as const satisfies Record<SystemName, Field>
