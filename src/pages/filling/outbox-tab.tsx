import { useMemo, useState } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import type { Outbox, OutboxMail, OutboxMailDetail } from '#schema/wire/import-report.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { CodeText } from '#ui/layout/code-text.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { fillingWords } from './filling-words.ts'
import { useCall, useFilling } from './use-call.ts'

function useColumns(): GridColumn<OutboxMail>[] {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  return useMemo(
    () => [
      {
        key: 'when',
        header: sayLabel(fillingWords.when),
        cell: ({ at }) => formatMoment(at, language, zone),
        width: 180,
        wrap: true,
      },
      { key: 'to', header: sayLabel(fillingWords.receiver), cell: ({ to }) => to, width: 240 },
      { key: 'subject', header: sayLabel(fillingWords.subject), cell: ({ subject }) => subject, width: 320 },
    ],
    [sayLabel, language, zone],
  )
}

/** The open mail, loaded on opening, since reading one is audited. */
function useOpenMail() {
  const call = useCall()
  const [mail, setMail] = useState<OutboxMailDetail>()
  const [isOpen, setOpen] = useState(false)
  const [failure, setFailure] = useState<string>()
  const open = async ({ id }: OutboxMail) => {
    setFailure(undefined)
    try {
      setMail(await call<OutboxMailDetail>({ url: `outbox/${id}`, method: 'get' }))
      setOpen(true)
    } catch (error) {
      setFailure(problemOf(error).message)
    }
  }
  return { mail, isOpen, failure, open, close: () => setOpen(false) }
}

/** The text of a mail, and its link to copy. */
function MailView({ mail: { to, text, link } }: { mail: OutboxMailDetail }) {
  const sayLabel = useSay()
  return (
    <div className="filling-stack">
      <p className="dash-note">
        {sayLabel(fillingWords.receiver)}: {to}
      </p>
      <p className="filling-mail">{link ? text.replace(link, '').trim() : text}</p>
      {link && (
        <div>
          <p className="dash-note">{sayLabel(fillingWords.link)}</p>
          <CodeText text={link} />
        </div>
      )}
    </div>
  )
}

/** Outbox: mails of an installation without a mail server. */
export function OutboxTab() {
  const sayLabel = useSay()
  const columns = useColumns()
  const { mail, isOpen, failure, open, close } = useOpenMail()
  const { data, error } = useFilling<Outbox>('outbox')
  if (error && !data) return <ErrorScreen error={error} />
  if (data && !data.active)
    return <EmptyState icon="mail" title={sayLabel(fillingWords.outboxOff)} text={sayLabel(fillingWords.outboxOffText)} />
  return (
    <div className="filling-stack">
      <Banner tone="info">{sayLabel(fillingWords.outboxLead)}</Banner>
      {failure && <Banner tone="bad">{failure}</Banner>}
      <Card flush>
        <DataGrid
          label={sayLabel(fillingWords.outbox)}
          columns={columns}
          rows={data?.mails}
          rowKey={({ id }) => id}
          empty={<EmptyState icon="mail" title={sayLabel(fillingWords.noMails)} />}
          rowActions={(mail) => (
            <Button size="small" onClick={() => void open(mail)}>
              {sayLabel(fillingWords.read)}
            </Button>
          )}
        />
      </Card>
      {mail && (
        <ModalDialog open={isOpen} title={mail.subject} widthPx={640} onClose={close}>
          <MailView mail={mail} />
        </ModalDialog>
      )}
    </div>
  )
}
