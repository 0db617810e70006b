import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { fill } from '#fields/words.ts'
import type { DemoFleet } from '#schema/import-report.ts'
import type { Label } from '#schema/words.ts'
import { ErrorScreen } from '#shell/error-screen.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { DescriptionList } from '#ui/description-list.tsx'
import { FormField } from '#ui/form-field.tsx'
import { FormGrid } from '#ui/form-grid.tsx'
import { ConfirmDialog } from '#ui/heavy.ts'
import { openNotification } from '#ui/notification.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextInput } from '#ui/text-input.tsx'
import { problemOf } from '#views/problem.ts'
import { fillingWords } from './filling-words.ts'
import { useCall, useFilling } from './use-call.ts'

type Deed = { method: 'post' | 'delete'; payload: Record<string, number>; done: Label }

/** Does what was agreed to, and has everything on screen asked anew. */
function useDeed() {
  const call = useCall()
  const client = useQueryClient()
  const sayLabel = useSay()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async ({ method, payload, done }: Deed) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call({ url: 'demo-fleet', method, payload })
      openNotification({ kind: 'success', title: sayLabel(done) })
      await client.invalidateQueries()
    } catch (error) {
      setFailure(problemOf(error).message)
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  const ask = () => {
    setOpened(true)
    setOpen(true)
  }
  return { isOpen, wasOpened, isBusy, failure, ask, run, cancel: () => setOpen(false) }
}

function Present({ fleet }: { fleet: DemoFleet }) {
  const sayLabel = useSay()
  const deed = useDeed()
  const { ess, boards, people, firmware } = fleet
  const facts = { systems: ess, boards, people, firmware }
  const remove = () => void deed.run({ method: 'delete', payload: { ess }, done: fillingWords.demoRemoved })
  return (
    <div className="filling-stack">
      <DescriptionList
        items={(['systems', 'boards', 'people', 'firmware'] as const).map((key) => ({
          key,
          label: sayLabel(fillingWords[key]),
          value: facts[key],
        }))}
      />
      {deed.failure && <Banner tone="bad">{deed.failure}</Banner>}
      <div>
        <Button kind="danger" icon="trash" disabled={!fleet.allowed} onClick={deed.ask}>
          {sayLabel(fillingWords.demoRemove)}
        </Button>
      </div>
      {deed.wasOpened && (
        <ConfirmDialog
          open={deed.isOpen}
          danger
          title={sayLabel(fillingWords.demoRemoveTitle)}
          body={fill(sayLabel(fillingWords.demoRemoveBody), { ess, boards, people, firmware })}
          confirmText={sayLabel(fillingWords.demoRemove)}
          typeToConfirm="demo"
          busy={deed.isBusy}
          onConfirm={remove}
          onCancel={deed.cancel}
        />
      )}
    </div>
  )
}

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
  const error = within(text, range) ? undefined : fill(sayLabel(fillingWords.wholeNumber), range)
  return (
    <FormField label={sayLabel(label)} hint={sayLabel(hint)} error={error}>
      {(field) => <TextInput {...field} inputMode="numeric" value={text} onChange={onChange} />}
    </FormField>
  )
}

const seeds = { min: 0, max: 999_999_999 }
const sizes = { min: 5, max: 500 }

function Absent({ fleet }: { fleet: DemoFleet }) {
  const sayLabel = useSay()
  const deed = useDeed()
  const [seed, setSeed] = useState('1')
  const [size, setSize] = useState('200')
  const isReady = fleet.allowed && within(seed, seeds) && within(size, sizes)
  const make = () =>
    void deed.run({ method: 'post', payload: { seed: Number(seed), size: Number(size) }, done: fillingWords.demoMade })
  return (
    <div className="filling-stack">
      <p>{sayLabel(fillingWords.demoNone)}</p>
      <FormGrid columns={2}>
        <NumberField label={fillingWords.size} hint={fillingWords.sizeHint} range={sizes} text={size} onChange={setSize} />
        <NumberField label={fillingWords.seed} hint={fillingWords.seedHint} range={seeds} text={seed} onChange={setSeed} />
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
          body={fill(sayLabel(fillingWords.demoMakeBody), { ess: size, boards: Math.round(Number(size) * 1.3) })}
          confirmText={sayLabel(fillingWords.demoMake)}
          busy={deed.isBusy}
          onConfirm={make}
          onCancel={deed.cancel}
        />
      )}
    </div>
  )
}

/** Records to try the console with, made and removed as one. */
export function DemoTab() {
  const sayLabel = useSay()
  const { data, error } = useFilling<DemoFleet>('demo-fleet')
  if (error && !data) return <ErrorScreen error={error} />
  if (!data) return <Skeleton lines={5} />
  const isThere = data.ess + data.boards + data.people + data.firmware > 0
  return (
    <Card title={sayLabel(fillingWords.demo)}>
      <div className="filling-stack">
        <p className="dash-note">{sayLabel(fillingWords.demoLead)}</p>
        {!data.allowed && <Banner tone="info">{sayLabel(fillingWords.demoOff)}</Banner>}
        {isThere ? <Present fleet={data} /> : <Absent fleet={data} />}
      </div>
    </Card>
  )
}
