import '@ant-design/v5-patch-for-react-19'
import { getValueFromEvent } from '@refinedev/antd'
import { Upload, type UploadProps } from 'antd'
import { Icon } from '#ui/icon/icon.tsx'
import type { ControlProps } from '#ui/input/control-props.ts'
import { IconButton } from '#ui/input/icon-button.tsx'
import { useUiLocale, useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

type Aria = 'aria-labelledby' | 'aria-describedby' | 'aria-invalid' | 'aria-required'

export type UploadInputProps = Pick<ControlProps, 'id' | 'disabled' | 'status' | Aria> & {
  value: File | undefined
  onChange: (value: File | undefined) => void
  /** As the `accept` attribute: `.bin,application/zip`. */
  accept?: string | undefined
}

/** One file, dropped or chosen; uploaded when the form is submitted. */
export function UploadInput({ value, ...input }: UploadInputProps) {
  // The box stays, so that the focus finds the control that takes the place of the other.
  return <div>{value ? <Chosen {...input} file={value} /> : <Drop {...input} />}</div>
}

type PartProps = Omit<UploadInputProps, 'value'>

function Chosen({ file, id, disabled, onChange, ...input }: PartProps & { file: File }) {
  const words = useUiWords()
  const locale = useUiLocale()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend of its own
    <div className="ui-file" role="group" id={id} tabIndex={-1} aria-labelledby={input['aria-labelledby']}>
      <Icon name="file" />
      <span className="ui-file-name">{file.name}</span>
      <span className="ui-file-size">{fileSize(file.size, locale, words.sizeUnits.split(' '))}</span>
      <IconButton icon="close" size="small" label={words.fileRemove} disabled={disabled} onClick={() => onChange(undefined)} />
    </div>
  )
}

function Drop({ onChange, accept, disabled, status, id, ...aria }: PartProps) {
  const words = useUiWords()
  const handleChange: UploadProps['onChange'] = (event) => onChange(getValueFromEvent(event).at(-1)?.originFileObj)
  return (
    <AntdProvider>
      <Upload.Dragger
        {...given({ ...aria, id, accept, disabled })}
        className={status ? `ui-drop ui-drop-${status}` : 'ui-drop'}
        // The input itself lies over the box: it has the label, the description and the fault, which a button would lack.
        hasControlInside
        openFileDialogOnClick={false}
        multiple={false}
        showUploadList={false}
        beforeUpload={() => false}
        onChange={handleChange}
      >
        <span className="ui-drop-text" aria-hidden="true">
          <Icon name="upload" /> {words.fileDrop}
        </span>
      </Upload.Dragger>
    </AntdProvider>
  )
}

function fileSize(bytes: number, locale: string, units: readonly string[]): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return `${new Intl.NumberFormat(locale, digits).format(bytes / 1024 ** power)} ${units[power]}`
}
