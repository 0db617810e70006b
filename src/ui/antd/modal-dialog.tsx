import '@ant-design/v5-patch-for-react-19'
import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { FocusFirst } from '#ui/input/focus-first.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { useFocusBack } from './use-focus-back.ts'
import { type CloseGuard, useGuardedClose } from './use-guarded-close.ts'

export type ModalDialogProps = {
  open: boolean
  title: ReactNode
  children: ReactNode
  /** The buttons; the last is the primary one. */
  footer?: ReactNode
  onClose: () => void
  /** Called before Esc, the close button or a click outside closes the dialog; false keeps it open. */
  canClose?: CloseGuard | undefined
  widthPx?: number | undefined
  onClosed?: (() => void) | undefined
  /** A click outside does not close it. */
  sticky?: boolean | undefined
}

export function ModalDialog({ open, title, children, footer, onClose, widthPx = 520, ...more }: ModalDialogProps) {
  const { canClose, onClosed, sticky = false } = more
  const words = useUiWords()
  const handleClose = useGuardedClose(onClose, canClose)
  const giveFocusBack = useFocusBack(open)
  return (
    <AntdProvider>
      <Modal
        open={open}
        title={title}
        width={widthPx}
        onCancel={handleClose}
        maskClosable={!sticky}
        // No opening animation: while the dialog grows, a click on it can land on the mask and close it.
        transitionName=""
        maskTransitionName=""
        footer={footer ? <div className="ui-dialog-foot">{footer}</div> : null}
        closable={{ 'aria-label': words.close }}
        closeIcon={<Icon name="close" />}
        destroyOnHidden
        afterClose={() => {
          onClosed?.()
          giveFocusBack()
        }}
      >
        <FocusFirst>{children}</FocusFirst>
      </Modal>
    </AntdProvider>
  )
}
