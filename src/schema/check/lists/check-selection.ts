import { checkLabel, type Report, unknownKeys, unknownWord } from '#schema/check/report/report.ts'
import { isWritable } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

/** Checks the forms that a list opens with its selected rows: each has a field of references that takes them. */
export function checkSelectionForms(report: Report, resource: AnyResource, all: ReadonlyMap<string, AnyResource>): void {
  const at = `${resource.name}.list.forms`
  const forms: unknown = resource.list?.forms
  if (forms === undefined) return
  if (!Array.isArray(forms)) return report('wrong-type', at, 'forms are a list of { resource, field, label }')
  for (const [index, form] of forms.entries()) {
    const path = `${at}[${index}]`
    if (!isObject(form)) {
      report('wrong-type', path, 'a form is { resource, field, label }')
      continue
    }
    unknownKeys(report, 'unknown-key', path, form, ['resource', 'field', 'label'], 'a form')
    checkLabel(report, `${path}.label`, form.label)
    unknownWord(report, 'unknown-resource', `${path}.resource`, form.resource, [...all.keys()], 'resource')
    const target = all.get(String(form.resource))
    if (!target) continue
    const takes = Object.entries(target.fields).flatMap(([name, field]) =>
      field.type === 'references' && field.to === resource.name && isWritable(field, 'create') ? [name] : [],
    )
    unknownWord(report, 'unknown-field', `${path}.field`, form.field, takes, `field of references to ${resource.name}`)
  }
}
