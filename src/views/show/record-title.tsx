import { Fragment } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { ownHeading, referencesOf } from './record-heading.ts'

/** Heading of a record, with links to what it is about. */
export function RecordTitle({ resource, record }: { resource: AnyResource; record: Row }) {
  return (
    <>
      {ownHeading(resource, record, useConsole())}
      {referencesOf(resource, record).map((subject) => (
        <Fragment key={subject.path}>
          {' · '}
          <FieldDisplay {...subject} row={record} place="heading" />
        </Fragment>
      ))}
    </>
  )
}
