import { factNames } from '#schema/check/shape/shape.ts'
import { fieldOf, holdsSecret, isRelated, relationOf, titleOf } from '#schema/definition.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { isSortable, operatorsOf } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { sectionLabels } from '#schema/section-labels.ts'
import { checkEmpty } from './check-empty.ts'
import { checkPath, checkPaths } from './check-paths.ts'
import { allPaths, checkRule } from './check-rules.ts'
import { checkInbox } from './lists/check-inbox.ts'
import { checkSelectionForms } from './lists/check-selection.ts'
import { checkLabel, entriesOf, type Report, unknownKeys, unknownWords } from './report/report.ts'

export type LayoutScope = { resources: ReadonlyMap<string, AnyResource>; widgets: readonly string[] }

/** Searched by their visible text: title of the target, label of the choice. */
const isNamed = ({ type }: Field) => type === 'reference' || type === 'enum' || type === 'status'

const listKeys = factNames('ListFacts')

const isShown = ({ sortOnly, type }: Field) => !sortOnly && type !== 'secret'

function checkOrders(report: Report, resource: AnyResource): void {
  for (const [name, { sortOnly }] of Object.entries(resource.fields))
    if (sortOnly)
      checkPath(report, resource, sortOnly.ties?.field, {
        code: 'unknown-sort',
        path: `${resource.name}.fields.${name}.sortOnly.ties.field`,
        fits: (field) => isSortable(field) && isShown(field),
        why: 'what an order goes on by',
      })
}

function checkList(report: Report, resource: AnyResource, scope: LayoutScope): void {
  const path = `${resource.name}.list`
  const list = resource.list
  if (list === undefined) return
  unknownKeys(report, 'unknown-key', path, list, listKeys, 'a list')
  checkPaths(report, resource, {
    code: 'unknown-column',
    path: `${path}.columns`,
    words: list.columns,
    fits: isShown,
    why: 'shown',
  })
  for (const [column, status] of Object.entries(list.marks ?? {})) {
    const at = `${path}.marks.${column}`
    checkPath(report, resource, column, { code: 'unknown-column', path: at, fits: isShown, why: 'shown' })
    checkPath(report, resource, status, {
      code: 'unknown-mark',
      path: at,
      fits: ({ type }) => type === 'status',
      why: 'a mark',
    })
  }
  checkPaths(report, resource, {
    code: 'unknown-filter',
    path: `${path}.filters`,
    words: list.filters,
    fits: (field) => operatorsOf(field).length > 0,
    why: 'filtered by',
  })
  checkPaths(report, resource, {
    code: 'unknown-search',
    path: `${path}.search`,
    words: list.search,
    fits: (field) => traitsOf(field).search || isNamed(field),
    why: 'searched',
  })
  if (list.sort)
    checkPath(report, resource, list.sort.field, {
      code: 'unknown-sort',
      path: `${path}.sort.field`,
      fits: isSortable,
      why: 'sorted by',
    })
  for (const [index, words] of (list.card ?? []).entries())
    checkPaths(report, resource, { code: 'unknown-column', path: `${path}.card[${index}]`, words, fits: isShown, why: 'shown' })
  checkInbox(report, resource, list.inbox, scope.resources)
  if (list.facet)
    checkPath(report, resource, list.facet.field, {
      code: 'unknown-facet',
      path: `${path}.facet.field`,
      fits: (field) => ['tags', 'choice'].includes(traitsOf(field).compare),
      why: 'counted by value',
    })
  for (const [tone, rule] of entriesOf(list.tone)) checkRule(report, resource, `${path}.tone.${tone}`, rule)
  unknownWords(report, 'unknown-action', `${path}.bulk`, list.bulk, Object.keys(resource.actions ?? {}), 'action')
  for (const [name, view] of entriesOf(list.views))
    if (isObject(view)) checkLabel(report, `${path}.views.${name}.label`, view.label)
  checkEmpty(report, `${path}.empty`, list.empty, scope.resources)
}

function checkSections(report: Report, resource: AnyResource): void {
  const seen = new Map<string, string>()
  for (const [name, section] of entriesOf(resource.sections)) {
    const path = `${resource.name}.sections.${name}`
    const labelled = isObject(section)
    const fields = labelled ? section.fields : section
    if (labelled) checkLabel(report, `${path}.label`, section.label)
    else if (!Object.hasOwn(sectionLabels, name)) {
      report(
        'unknown-section',
        path,
        `"${name}" is no section with a label of its own; write { label: ['…', '…'], fields: […] }, or take a known name`,
        {
          word: name,
          among: Object.keys(sectionLabels),
        },
      )
    }
    checkPaths(report, resource, { code: 'unknown-section-field', path, words: fields })
    for (const field of Array.isArray(fields) ? fields.map(String) : []) {
      const first = seen.get(field)
      if (first)
        report('field-in-two-sections', path, `"${field}" already stands in the section "${first}"; drop it in one of them`)
      seen.set(field, name)
    }
  }
}

const tabKeys = factNames('Tab')
const isSegment = (name: string) => /^[a-z][a-z0-9-]*$/.test(name) && !['edit', 'create'].includes(name)

function checkRelated(
  report: Report,
  resource: AnyResource,
  path: string,
  tab: Extract<Tab, { resource: string }>,
  scope: LayoutScope,
): void {
  const target = scope.resources.get(tab.resource)
  const names = [...scope.resources.keys()]
  if (!target)
    return report('unknown-resource', `${path}.resource`, `there is no resource "${tab.resource}"`, {
      word: tab.resource,
      among: names,
    })
  checkPaths(report, target, { code: 'unknown-column', path: `${path}.columns`, words: tab.columns })
  if (!tab.from && !relationOf(resource, tab, target)) {
    report(
      'tab-without-relation',
      path,
      `no reference of ${tab.resource} points to ${resource.name}; say which of its rows: match: { field: '$record.id' }, or from`,
    )
  }
  if (tab.opens !== undefined && !isSegment(tab.opens))
    report(
      'bad-tab-name',
      `${path}.opens`,
      `"${tab.opens}" is no segment of an address: take small letters and hyphens, and not edit or create`,
    )
  for (const [field] of entriesOf(tab.match)) {
    if (!fieldOf(target, field))
      report('unknown-match', `${path}.match.${field}`, `${tab.resource} has no such field`, {
        word: field,
        among: allPaths(target),
      })
  }
}

function checkWidget(report: Report, path: string, widget: unknown, { widgets }: LayoutScope): void {
  if (widget === undefined || widgets.some((name) => name === widget)) return
  report('unknown-widget', path, `there is no widget "${widget}"`, { word: String(widget), among: widgets })
}

function checkTabs(report: Report, resource: AnyResource, scope: LayoutScope): void {
  const actions = Object.keys(resource.actions ?? {})
  for (const [name, raw] of entriesOf(resource.tabs)) {
    const path = `${resource.name}.tabs.${name}`
    const tab = resource.tabs?.[name]
    if (!isObject(raw) || !tab) {
      report('wrong-type', path, 'a tab is { label, resource | sections | widget }')
      continue
    }
    if (!isSegment(name))
      report(
        'bad-tab-name',
        path,
        `"${name}" is no segment of an address: take small letters and hyphens, and not edit or create`,
      )
    checkLabel(report, `${path}.label`, raw.label)
    unknownKeys(report, 'unknown-key', path, raw, tabKeys, 'a tab')
    unknownWords(report, 'unknown-role', `${path}.roles`, raw.roles, roles, 'role')
    unknownWords(report, 'unknown-action', `${path}.actions`, raw.actions, actions, 'action')
    // A row can offer the actions of its own resource as well.
    const theirs = Object.keys((isRelated(tab) && scope.resources.get(tab.resource)?.actions) || {})
    unknownWords(report, 'unknown-action', `${path}.rowActions`, raw.rowActions, [...actions, ...theirs], 'action')
    checkWidget(report, `${path}.widget`, raw.widget, scope)
    checkEmpty(report, `${path}.empty`, raw.empty, scope.resources)
    if (isRelated(tab)) checkRelated(report, resource, path, tab, scope)
    else if ('sections' in tab) {
      unknownWords(
        report,
        'unknown-section',
        `${path}.sections`,
        tab.sections,
        Object.keys(resource.sections ?? { details: 0 }),
        'section',
      )
    } else if (!('widget' in tab)) report('empty-tab', path, 'a tab has a resource, sections or a widget')
  }
}

/** List, sections, tabs and title of a definition whose fields are sound. */
export function checkLayout(report: Report, resource: AnyResource, scope: LayoutScope): void {
  if (resource.title !== undefined && resource.title !== 'id' && !fieldOf(resource, titleOf(resource))) {
    report('unknown-title', `${resource.name}.title`, `there is no field "${resource.title}"`, {
      word: resource.title,
      among: Object.keys(resource.fields),
    })
  }
  checkPaths(report, resource, {
    code: 'unknown-summary',
    path: `${resource.name}.summary`,
    words: resource.summary,
    fits: (field) => !holdsSecret(field),
    why: 'shown with a reference: it is only written',
  })
  checkPaths(report, resource, {
    code: 'unknown-about',
    path: `${resource.name}.about`,
    words: resource.about,
    fits: ({ type }) => type === 'reference',
    why: 'named in a heading: it is no reference',
  })
  checkOrders(report, resource)
  checkList(report, resource, scope)
  checkSelectionForms(report, resource, scope.resources)
  checkSections(report, resource)
  checkWidget(report, `${resource.name}.head`, resource.head, scope)
  checkTabs(report, resource, scope)
}
