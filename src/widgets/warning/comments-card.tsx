import { type SyntheticEvent, useId, useRef, useState } from 'react'
import { useConsole, useMay, useSay, useViewer } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatMoment, formatUtc } from '#fields/time/time-format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { TextAreaInput } from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { Card } from '#ui/layout/card.tsx'
import { formFieldsOf } from '#views/actions/form-fields-of.ts'
import { useRunAction } from '#views/actions/use-run-action.ts'
import { draftKey, dropDraft, foundDrafts, ownSlot, writeDraft } from '#views/form/draft/draft-store.ts'
import { formWords } from '#views/form/form-words.ts'
import { problemOf } from '#views/shared/problem.ts'
import { warningWords } from './warning-words.ts'

type Comment = { at: string; by: string; text: string }

const commentsOf = (given: unknown): Comment[] =>
  Array.isArray(given)
    ? given.map((one: unknown) => ({
        at: String(valueAt(one, 'at') ?? ''),
        by: String(valueAt(one, 'by') ?? ''),
        text: String(valueAt(one, 'text') ?? ''),
      }))
    : []

export function CommentsCard({ resource, record }: { resource: AnyResource; record: Row }) {
  const sayLabel = useSay()
  const may = useMay()
  const { language, zone } = useConsole()
  const comments = commentsOf(record.comments)
  return (
    <Card title={sayLabel(warningWords.comments)}>
      <div className="warning-comments">
        {comments.length === 0 && <p>{sayLabel(warningWords.noComments)}</p>}
        <ol>
          {comments.map(({ at, by, text }) => (
            <li key={`${at} ${by}`}>
              <p>
                <b>{by || sayLabel(warningWords.erasedUser)}</b>{' '}
                <time dateTime={at} title={formatUtc(at)}>
                  {formatMoment(at, language, zone)}
                </time>
              </p>
              <p className="warning-comment-text">{text}</p>
            </li>
          ))}
        </ol>
        {may(resource.name, 'comment') && <Composer resource={resource} record={record} />}
      </div>
    </Card>
  )
}

/** The rest of a text once a part of it was sent: it was typed in the meantime. */
const unsentOf = (text: string, sent: string) =>
  text.trimStart().startsWith(sent) ? text.trimStart().slice(sent.length).trim() : text

/** A draft text that survives a closed tab and a lost session. Each tab has a draft of its own; the newest of others goes on here. */
function useKeptText(storageKey: string) {
  const [own] = useState(() => ownSlot(storageKey))
  const [found] = useState(() => foundDrafts(storageKey)[0])
  const [text, show] = useState(() => String(found?.draft.values.text ?? ''))
  const latest = useRef(text)
  const setText = (next: string) => {
    latest.current = next
    show(next)
    // Another tab that has typed on since then keeps its draft.
    if (found && foundDrafts(storageKey).some(({ key, draft }) => key === found.key && draft.atMs === found.draft.atMs))
      dropDraft(found.key)
    if (next) writeDraft(own, { values: { text: next }, base: {}, version: 1, atMs: Date.now() })
    else dropDraft(own)
  }
  return { text, setText, settle: (sent: string) => setText(unsentOf(latest.current, sent)) }
}

function Composer({ resource, record }: { resource: AnyResource; record: Row }) {
  const sayLabel = useSay()
  const run = useRunAction()
  const formId = useId()
  const { text, setText, settle } = useKeptText(draftKey(useViewer().id, `${resource.name}.comment`, String(record.id)))
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const action = resource.actions?.comment
  if (!action) return null
  const field = formFieldsOf(action).text
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (isBusy || !text.trim()) return
    setBusy(true)
    setRefusal(undefined)
    const sent = text.trim()
    try {
      await run({ resource, name: 'comment', action, id: String(record.id), record }, { values: { text: sent } })
      settle(sent)
    } catch (error) {
      setRefusal(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form id={formId} onSubmit={(event) => void send(event)}>
      <FormField label={sayLabel(warningWords.addComment)} hint={sayLabel(formWords.sendKeys)} error={refusal} wide>
        {(control) => (
          <TextAreaInput
            {...control}
            rows={2}
            value={text}
            onChange={setText}
            {...(field?.type === 'longText' && field.maxLength ? { maxLength: field.maxLength } : {})}
          />
        )}
      </FormField>
      <Button type="submit" busy={isBusy} disabled={!text.trim()}>
        {sayLabel(warningWords.send)}
      </Button>
    </form>
  )
}
