import '@ant-design/v5-patch-for-react-19'
import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { FocusFirst } from '#ui/input/focus-first.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { type CloseGuard, useGuardedClose } from './use-guarded-close.ts'

export type ModalDialogProps = {
  open: boolean
  title: ReactNode
  children: ReactNode
  /** Its buttons; the last is the main one. */
  footer?: ReactNode
  onClose: () => void
  /** Asked before Esc, the cross or a press beside it closes the dialog: is there something to lose? */
  canClose?: CloseGuard | undefined
  widthPx?: number | undefined
  onClosed?: (() => void) | undefined
  /** A press beside it does not close it. */
  sticky?: boolean | undefined
}

export function ModalDialog({ open, title, children, footer, onClose, widthPx = 520, ...more }: ModalDialogProps) {
  const { canClose, onClosed, sticky = false } = more
  const words = useUiWords()
  const handleClose = useGuardedClose(onClose, canClose)
  return (
    <AntdProvider>
      <Modal
        open={open}
        title={title}
        width={widthPx}
        onCancel={handleClose}
        maskClosable={!sticky}
        // A dialog that grows is not yet where it is pressed: the press falls beside it, and that closes it.
        transitionName=""
        maskTransitionName=""
        footer={footer ? <div className="ui-dialog-foot">{footer}</div> : null}
        closable={{ 'aria-label': words.close }}
        closeIcon={<Icon name="close" />}
        destroyOnHidden
        {...(onClosed && { afterClose: onClosed })}
      >
        <FocusFirst>{children}</FocusFirst>
      </Modal>
    </AntdProvider>
  )
}
