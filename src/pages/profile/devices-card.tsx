import { useEffect, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { type OwnDevice, useShell } from '#shell/shell-services.ts'
import { useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { OwnList, useOwnRows } from './own-list.tsx'
import { useOwnCall } from './use-own-call.ts'

type Device = { id: string; label: string; lastSeenAt: string; disabledAt: string | null }

/** This browser, once it is known. */
/** Asked again with each new list: this browser may have been registered meanwhile. */
function useOwnDevice(rows: readonly Device[] | undefined): OwnDevice | undefined {
  const { push } = useShell()
  const [device, setDevice] = useState<OwnDevice>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void push?.device().then(setDevice), [push, rows])
  return device
}

/** Browsers that receive the signed-in user's notifications. */
export function DevicesCard() {
  const words = useWords()
  const { language, zone } = useConsole()
  const own = useOwnRows<Device>('device')
  const here = useOwnDevice(own.rows)
  const { send, isBusy } = useOwnCall()
  const pathOf = ({ id }: Device) => `device/${encodeURIComponent(id)}`
  const test = async (device: Device) => {
    if (await send({ url: `${pathOf(device)}/test`, method: 'post' }))
      openNotification({ kind: 'success', title: words('profile.device.tested') })
  }
  const remove = async (device: Device) => {
    await send({ url: pathOf(device), method: 'delete' })
    own.refetch()
  }
  return (
    <OwnList
      title={words('profile.devices')}
      hint={here && !here.reachesClosed && words('profile.device.openOnly')}
      none={words('profile.device.none')}
      own={own}
      draw={(device) => ({
        title: (
          <>
            {device.label || words('common.unknown')}{' '}
            {device.id === here?.id && <Tag tone="good">{words('profile.device.current')}</Tag>}
            {device.disabledAt && <Tag tone="warn">{words('profile.device.disabled')}</Tag>}
          </>
        ),
        note: words('profile.session.lastSeen', { time: formatMoment(device.lastSeenAt, language, zone) }),
        actions: (
          <>
            <Button size="small" icon="bell" busy={isBusy} onClick={() => void test(device)}>
              {words('profile.device.test')}
            </Button>
            <Button size="small" icon="trash" busy={isBusy} onClick={() => void remove(device)}>
              {words('buttons.remove')}
            </Button>
          </>
        ),
      })}
    />
  )
}
