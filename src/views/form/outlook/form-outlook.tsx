import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { DivisionBar } from './division-bar.tsx'
import { OutlookFacts } from './outlook-facts.tsx'
import { useOutlook } from './use-outlook.ts'

export type FormOutlookProps = {
  resource: AnyResource
  fields: Fields
  /** Names of one section's fields; the outlook is below that section. */
  names: readonly string[]
  values: Row
}

/** The outlook, below the section of the last field that decides it, and the division bars, below their lists. */
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
