import { useConsole } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { OwnList, useOwnRows } from './own-list.tsx'
import { useOwnCall } from './use-own-call.ts'

type Session = { id: string; label: string; ip: string | null; lastSeenAt: string; current: boolean }

/** Sessions of the signed-in user; other sessions can be ended. */
export function SessionsCard() {
  const words = useWords()
  const { language, zone } = useConsole()
  const own = useOwnRows<Session>('auth/session')
  const { send, isBusy } = useOwnCall()
  const end = async ({ id }: Session) => {
    if (await send({ url: `auth/session/${encodeURIComponent(id)}`, method: 'delete' }))
      openNotification({ kind: 'success', title: words('profile.session.ended') })
    own.refetch()
  }
  return (
    <OwnList
      title={words('profile.sessions')}
      none={words('common.none')}
      own={own}
      draw={(session) => ({
        title: (
          <>
            {session.label || words('common.unknown')}{' '}
            {session.current && <Tag tone="good">{words('profile.session.current')}</Tag>}
          </>
        ),
        note: [
          words('profile.session.lastSeen', { time: formatMoment(session.lastSeenAt, language, zone) }),
          ...(session.ip ? [session.ip] : []),
        ].join(' · '),
        actions: !session.current && (
          <Button size="small" icon="logout" busy={isBusy} onClick={() => void end(session)}>
            {words('profile.session.end')}
          </Button>
        ),
      })}
    />
  )
}
