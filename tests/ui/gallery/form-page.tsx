import { useState } from 'react'
import {
  AntdProvider,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextAreaInput,
  UploadInput,
} from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { Card } from '#ui/layout/card.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

const cities = ['Berlin', 'Hamburg', 'Köln', 'Москва', 'Санкт-Петербург', 'Lyon'].map((label) => ({
  value: label,
  label,
  hint: 'city',
}))

const findCities = async (search: string) => {
  await new Promise((resolve) => setTimeout(resolve, 150))
  return cities.filter((city) => city.label.toLowerCase().includes(search.toLowerCase()))
}

export function FormPage() {
  const [text, setText] = useState('Nordlicht Energie GmbH')
  const [empty, setEmpty] = useState('')
  const [power, setPower] = useState<number | string | undefined>(3420.5)
  const [city, setCity] = useState<string | undefined>('Hamburg')
  const [many, setMany] = useState(['Berlin', 'Lyon'])
  const [tags, setTags] = useState(['roof', 'lab'])
  const [isOn, setOn] = useState(true)
  const [note, setNote] = useState('Second rack from the door.')
  const [file, setFile] = useState<File>()
  const [date, setDate] = useState('2026-05-31')
  return (
    <>
      <PageHeader title="Edit client" back={{ href: '#/list', label: 'Back' }} />
      <AntdProvider>
        <Card
          title="General"
          footer={
            <div className="ui-actions">
              <Button kind="primary">Save</Button>
              <Button>Cancel</Button>
            </div>
          }
        >
          <FormGrid>
            <FormField label="Name" required hint="As in the contract">
              {(control) => <TextInput {...control} value={text} onChange={setText} />}
            </FormField>
            <FormField label="E-mail" required error="Enter an e-mail address">
              {(control) => (
                <TextInput {...control} type="email" value={empty} onChange={setEmpty} placeholder="name@example.com" />
              )}
            </FormField>
            <FormField label="Power limit">
              {(control) => <NumberInput {...control} value={power} onChange={setPower} unit="W" step={100} />}
            </FormField>
            <FormField label="Reserve" error="At most 100">
              {(control) => <NumberInput {...control} value={140} onChange={() => undefined} unit="%" />}
            </FormField>
            <FormField label="City" hint="Searches as you type">
              {(control) => (
                <SelectInput {...control} value={city} onChange={setCity} load={findCities} selectedOptions={cities} />
              )}
            </FormField>
            <FormField label="Branches">
              {(control) => <SelectInput {...control} multiple value={many} onChange={setMany} options={cities} />}
            </FormField>
            <FormField label="Nothing chosen" error="Choose one">
              {(control) => (
                <SelectInput {...control} value={undefined} onChange={() => undefined} options={cities} placeholder="Choose" />
              )}
            </FormField>
            <FormField label="Off">
              {(control) => <SelectInput {...control} value="Lyon" onChange={() => undefined} options={cities} disabled />}
            </FormField>
            <FormField label="Tags">{(control) => <TagsInput {...control} value={tags} onChange={setTags} />}</FormField>
            <FormField label="Zone">
              {(control) => (
                <NativeSelect
                  {...control}
                  value="a"
                  onChange={() => undefined}
                  options={[{ value: 'a', label: 'Europe/Berlin' }]}
                />
              )}
            </FormField>
            <FormField label="Installed on">
              {(control) => <DateInput {...control} value={date} onChange={setDate} />}
            </FormField>
            <FormField label="Warranty until" warning="Before the day of installation">
              {(control) => <DateInput {...control} withTime value="2026-05-01T08:30" onChange={() => undefined} />}
            </FormField>
            <FormField label="Remote control">
              {(control) => <SwitchInput {...control} value={isOn} onChange={setOn} />}
            </FormField>
            <FormField label="Switched off">
              {(control) => <SwitchInput {...control} value={false} onChange={() => undefined} />}
            </FormField>
            <FormField label="Password">
              {(control) => (
                <PasswordInput {...control} autoComplete="new-password" value="secret words" onChange={() => undefined} />
              )}
            </FormField>
            <FormField label="Serial number">
              {(control) => <TextInput {...control} code value="SN-0042-AA" onChange={() => undefined} disabled />}
            </FormField>
            <FormField label="Note" wide>
              {(control) => <TextAreaInput {...control} value={note} onChange={setNote} maxLength={200} />}
            </FormField>
            <FormField label="Firmware image" wide>
              {(control) => <UploadInput {...control} value={file} onChange={setFile} />}
            </FormField>
            <Checkbox checked={isOn} onChange={setOn}>
              Send an invitation
            </Checkbox>
            <Checkbox checked={false} indeterminate onChange={() => undefined}>
              Some of the boards
            </Checkbox>
          </FormGrid>
        </Card>
      </AntdProvider>
    </>
  )
}
