import { useState } from 'react'
import { ConfirmDialog, ModalDialog } from '#ui/antd/lazy-antd.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { Card } from '#ui/layout/card.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Overlay } from '#ui/overlay/overlay.tsx'

type Open = 'modal' | 'confirm' | 'overlay'

const notes = [
  { kind: 'success', title: 'Saved', text: 'ESS-10420 has been saved.' },
  { kind: 'info', title: 'Update started' },
  { kind: 'warning', title: 'You are offline', text: 'What you see may be old.' },
  { kind: 'error', title: 'Oops! Error', text: 'The code is already in use; the owner does not exist' },
] as const

export function DialogsPage() {
  const [open, setOpen] = useState<Open>()
  const [typed, setTyped] = useState('typed before')
  const close = () => setOpen(undefined)
  const notifyAll = () => {
    for (const note of notes) openNotification({ ...note, durationS: 0, action: { label: 'Undo', onSelect: () => undefined } })
  }
  return (
    <>
      <PageHeader title="Dialogs" />
      <Card title="Open">
        <div className="ui-actions">
          <Button onClick={() => setOpen('modal')}>Modal</Button>
          <Button onClick={() => setOpen('confirm')}>Confirm</Button>
          <Button onClick={() => setOpen('overlay')}>Overlay</Button>
          <Button onClick={notifyAll}>Notify</Button>
          <TextInput aria-label="Below the overlay" value={typed} onChange={setTyped} />
        </div>
      </Card>
      <ModalDialog
        open={open === 'modal'}
        title="Change owner"
        onClose={close}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary">Change</Button>
          </>
        }
      >
        <FormField label="New owner" required>
          {(control) => <TextInput {...control} value={typed} onChange={setTyped} />}
        </FormField>
      </ModalDialog>
      <ConfirmDialog
        open={open === 'confirm'}
        title="Delete ESS-10420?"
        body="Its boards, packs and history go with it. This cannot be undone."
        confirmText="Delete"
        danger
        typeToConfirm="ESS-10420"
        onConfirm={close}
        onCancel={close}
      />
      <Overlay open={open === 'overlay'} label="Sign in again">
        <h2>Your session has ended</h2>
        <p style={{ margin: '4px 0 16px' }}>Sign in again to go on where you were.</p>
        <FormField label="Password">
          {(control) => <PasswordInput {...control} autoComplete="current-password" value="" onChange={() => undefined} />}
        </FormField>
        <div className="ui-actions" style={{ marginTop: 16 }}>
          <Button kind="primary" onClick={close}>
            Sign in
          </Button>
        </div>
      </Overlay>
    </>
  )
}
