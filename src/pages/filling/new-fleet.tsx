import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { demoBounds, mostDemoDays } from '#schema/wire/import-report.ts'
import type { Label } from '#schema/words.ts'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { fillingWords } from './filling-words.ts'
import { useDemoJob } from './use-demo-job.ts'

type NumberFieldProps = {
  label: Label
  hint: Label
  range: { min: number; max: number }
  text: string
  onChange: (text: string) => void
}

const within = (text: string, { min, max }: NumberFieldProps['range']) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

function NumberField({ label, hint, range, text, onChange }: NumberFieldProps) {
  const sayLabel = useSay()
  const error = within(text, range) ? undefined : sayLabel(fillingWords.wholeNumber, range)
  return (
    <FormField label={sayLabel(label)} hint={sayLabel(hint)} error={error}>
      {(field) => <TextInput {...field} inputMode="numeric" value={text} onChange={onChange} />}
    </FormField>
  )
}

export function NewFleet({ isAllowed }: { isAllowed: boolean }) {
  const sayLabel = useSay()
  const deed = useDemoJob()
  const [seed, setSeed] = useState('1')
  const [size, setSize] = useState('200')
  const [days, setDays] = useState('1')
  const [faults, setFaults] = useState(true)
  const daysRange = {
    min: demoBounds.days.min,
    max: within(size, demoBounds.size) ? mostDemoDays(Number(size)) : demoBounds.days.max,
  }
  const isReady = isAllowed && within(seed, demoBounds.seed) && within(size, demoBounds.size) && within(days, daysRange)
  const payload = { seed: Number(seed), size: Number(size), days: Number(days), faults }
  return (
    <div className="filling-stack">
      <p>{sayLabel(fillingWords.demoNone)}</p>
      <FormGrid columns={2}>
        <NumberField
          label={fillingWords.size}
          hint={fillingWords.sizeHint}
          range={demoBounds.size}
          text={size}
          onChange={setSize}
        />
        <NumberField
          label={fillingWords.seed}
          hint={fillingWords.seedHint}
          range={demoBounds.seed}
          text={seed}
          onChange={setSeed}
        />
        <NumberField label={fillingWords.days} hint={fillingWords.daysHint} range={daysRange} text={days} onChange={setDays} />
        <FormField label={sayLabel(fillingWords.demoFaults)} hint={sayLabel(fillingWords.demoFaultsHint)}>
          {({ status: _, ...control }) => (
            <Checkbox {...control} checked={faults} onChange={setFaults}>
              {sayLabel(fillingWords.demoFaultsYes)}
            </Checkbox>
          )}
        </FormField>
      </FormGrid>
      {deed.failure && <Banner tone="bad">{deed.failure}</Banner>}
      <div>
        <Button kind="primary" icon="plus" disabled={!isReady} onClick={deed.ask}>
          {sayLabel(fillingWords.demoMake)}
        </Button>
      </div>
      {deed.wasOpened && (
        <ConfirmDialog
          open={deed.isOpen}
          title={sayLabel(fillingWords.demoMakeTitle)}
          body={sayLabel(fillingWords.demoMakeBody, { ess: size, boards: Math.round(Number(size) * 1.3) })}
          confirmText={sayLabel(fillingWords.demoMake)}
          busy={deed.isBusy}
          onConfirm={() => void deed.run({ method: 'post', payload, done: fillingWords.demoMade })}
          onCancel={deed.cancel}
        />
      )}
    </div>
  )
}
