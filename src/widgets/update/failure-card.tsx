import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { failureGuides } from '#resources/fleet/failure-guides.ts'
import { choiceLabel, hasChoices } from '#schema/facts/choices.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Card } from '#ui/layout/card.tsx'
import { updateWords } from './update-words.ts'

/** Why an update failed, and what to do. */
export function FailureCard({ resource, record }: { resource: AnyResource; record: Row }) {
  const sayLabel = useSay()
  const { failureCode, status } = resource.fields
  const isBack = record.status === 'ROLLED_BACK'
  const code = isBack ? 'ROLLED_BACK' : record.failureCode
  if (typeof code !== 'string') return null
  const field = isBack ? status : failureCode
  const title = field && hasChoices(field) ? sayLabel(choiceLabel(field, code)) : code
  const guide = failureGuides[code]
  return (
    <Card title={title} actions={<Tag>{code}</Tag>}>
      <div className="update-failure">
        <p>{guide ? sayLabel(guide.meaning) : String(record.failureMessage ?? code)}</p>
        {guide && (
          <>
            <h3>{sayLabel(updateWords.whatToDo)}</h3>
            <ul>
              {guide.steps.map((step) => (
                <li key={step[0]}>{sayLabel(step)}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  )
}
