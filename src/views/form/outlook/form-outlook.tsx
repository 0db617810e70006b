import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { DivisionBar } from './division-bar.tsx'
import { OutlookFacts } from './outlook-facts.tsx'
import { useOutlook } from './use-outlook.ts'

export type FormOutlookProps = {
  resource: AnyResource
  /** Fields of the form. */
  fields: Fields
  /** Those of one section, below which it stands. */
  names: readonly string[]
  values: Row
}

/** Below the section of the last field that decides: what the form takes in; below lists that divide it: their sizes. */
export function FormOutlook({ resource, fields, names, values }: FormOutlookProps) {
  const outlook = useOutlook(resource, values)
  const last = resource.outlook?.values.filter((name) => Object.hasOwn(fields, name)).at(-1)
  const dividing = names.flatMap((name) => {
    const field = fields[name]
    return field?.type === 'list' && field.divides ? [{ name, field }] : []
  })
  return (
    <>
      {last !== undefined && names.includes(last) && <OutlookFacts resource={resource} outlook={outlook} />}
      {outlook.data &&
        dividing.map(({ name, field }) => (
          <DivisionBar key={name} field={field} value={values[name]} total={outlook.data?.count ?? 0} />
        ))}
    </>
  )
}
