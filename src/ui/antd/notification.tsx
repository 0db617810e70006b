import '@ant-design/v5-patch-for-react-19'
import { ConfigProvider, notification } from 'antd'
import type { KeyedNotification, NotificationKind } from '#ui/feedback/notification.ts'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button } from '#ui/input/button.tsx'
import type { Tone } from '#ui/theme/tokens.ts'
import { getUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import './notification.css'

const looks: Record<NotificationKind, { icon: IconName; tone: Tone }> = {
  success: { icon: 'check', tone: 'good' },
  info: { icon: 'info', tone: 'info' },
  warning: { icon: 'warning', tone: 'warn' },
  error: { icon: 'warning', tone: 'bad' },
}

// The kit's own live regions announce the text (announce.ts); antd must not announce it a second time.
const silentRole: string = 'presentation'

/** antd renders the close icon as an anchor without an address: it needs the button role. */
const closeButton = () => ({ role: 'button', 'aria-label': getUiWords().close, closeIcon: <Icon name="close" sizePx={14} /> })

// antd's static calls render outside the React tree and would miss the kit's theme.
ConfigProvider.config({ holderRender: (children) => <AntdProvider>{children}</AntdProvider> })
notification.config({ placement: 'top', top: 4, maxCount: 5, pauseOnHover: true })

/** Shows it; the same key replaces the notification on screen. */
export function showNotification({ kind, title, text, key, durationS, action, onClose }: KeyedNotification): void {
  const { icon, tone } = looks[kind]
  const handleAction = () => {
    notification.destroy(key)
    action?.onSelect()
  }
  notification.open({
    key,
    message: title,
    description: text,
    duration: durationS,
    role: silentRole as 'status',
    className: `ui-notification ui-tone-${tone}${durationS > 0 && !action ? ' ui-notification-brief' : ''}`,
    icon: <Icon name={icon} sizePx={20} />,
    closable: closeButton(),
    ...(onClose && { onClose }),
    ...(action && {
      actions: (
        <Button size="small" onClick={handleAction}>
          {action.label}
        </Button>
      ),
    }),
  })
}

export function hideNotification(key: string): void {
  notification.destroy(key)
}
