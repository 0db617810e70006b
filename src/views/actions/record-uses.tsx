import { useDefinitions, useSay } from '#fields/definitions.tsx'
import { isObject } from '#schema/is-object.ts'
import type { Use } from '#schema/wire/wire.ts'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'

const isUse = (value: unknown): value is Use =>
  isObject(value) && typeof value.resource === 'string' && typeof value.count === 'number' && Array.isArray(value.records)

/** Records that keep another one from being deleted, by resource, with links to the first of them. */
export function RecordUses({ uses }: { uses: unknown }) {
  const definitions = useDefinitions()
  const sayLabel = useSay()
  const known = (Array.isArray(uses) ? uses.filter(isUse) : []).flatMap((use) => {
    const resource = definitions.get(use.resource)
    return resource ? [{ ...use, resource }] : []
  })
  return (
    <ul>
      {known.map(({ resource, count, records }) => (
        <li key={resource.name}>
          {`${sayLabel(resource.label.many)}: ${count}`}
          <ul>
            {records.map(({ id, title }) => (
              <li key={id}>
                <Link className="ui-link" href={recordPath(resource, id)} target="_blank" rel="noreferrer">
                  {title}
                </Link>
              </li>
            ))}
            {records.length > 0 && count > records.length && <li>…</li>}
          </ul>
        </li>
      ))}
    </ul>
  )
}
