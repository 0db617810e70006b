import { type FormEvent, Suspense, useState } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { SecretText } from '#ui/input/secret-text.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { CodeField } from './code-field.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

/** Rarely used, so it is not preloaded with the other antd components. */
const QrCode = lazyCode(() => import('#ui/antd/qr-code.tsx').then((module) => ({ default: module.QrCode })))

export type Enrolment = { secret: string; uri: string }

type TotpSetupProps = {
  enrolment: Enrolment
  /** Verifies the first code; rejects with a problem. */
  onConfirm: (code: string) => Promise<void>
}

/** Secret for an authenticator app, as a QR code and as text, with the input of its first code. */
export function TotpSetup({ enrolment: { secret, uri }, onConfirm }: TotpSetupProps) {
  const sayLabel = useSayLabel()
  const [code, setCode] = useState('')
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isBusy || !code.trim()) return
    setBusy(true)
    try {
      await onConfirm(code.trim())
    } catch (error) {
      setMessage(problemOf(error).message)
    }
    setBusy(false)
  }
  return (
    <form className="shell-form" noValidate onSubmit={(event) => void handleSubmit(event)}>
      {message && <Banner tone="bad">{message}</Banner>}
      <p>{sayLabel(factorWords.scan)}</p>
      <div className="shell-form-aside">
        <Suspense fallback={<Skeleton lines={6} />}>
          <QrCode text={uri} label={sayLabel(factorWords.qr)} />
        </Suspense>
      </div>
      <FormField label={sayLabel(factorWords.key)} extra={<CopyButton text={secret}>{sayLabel(factorWords.copy)}</CopyButton>}>
        {(control) => <SecretText text={secret} control={control} />}
      </FormField>
      <CodeField value={code} onChange={setCode} />
      <Button kind="primary" type="submit" busy={isBusy} disabled={!code.trim()}>
        {sayLabel(factorWords.finish)}
      </Button>
    </form>
  )
}
