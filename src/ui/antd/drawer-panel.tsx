import '@ant-design/v5-patch-for-react-19'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { FocusFirst } from '#ui/input/focus-first.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { type CloseGuard, useGuardedClose } from './use-guarded-close.ts'

export type DrawerPanelProps = {
  open: boolean
  title: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Beside the title. */
  extra?: ReactNode
  onClose: () => void
  canClose?: CloseGuard | undefined
  widthPx?: number | undefined
  onClosed?: (() => void) | undefined
}

export function DrawerPanel({
  open,
  title,
  children,
  footer,
  extra,
  onClose,
  canClose,
  widthPx = 520,
  onClosed,
}: DrawerPanelProps) {
  const words = useUiWords()
  const handleClose = useGuardedClose(onClose, canClose)
  return (
    <AntdProvider>
      <Drawer
        open={open}
        title={title}
        extra={extra}
        width={`min(${widthPx}px, 100vw)`}
        onClose={handleClose}
        footer={footer && <div className="ui-dialog-foot">{footer}</div>}
        closable={{ 'aria-label': words.close, placement: 'end' }}
        closeIcon={<Icon name="close" />}
        destroyOnHidden
        afterOpenChange={(isOpen) => !isOpen && onClosed?.()}
      >
        <FocusFirst>{children}</FocusFirst>
      </Drawer>
    </AntdProvider>
  )
}
