import '@ant-design/v5-patch-for-react-19'
import { getValueFromEvent } from '@refinedev/antd'
import { Upload, type UploadProps } from 'antd'
import { Icon } from '#ui/icon/icon.tsx'
import type { ControlProps } from '#ui/input/control-props.ts'
import { IconButton } from '#ui/input/icon-button.tsx'
import { useUiLocale, useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

export type UploadInputProps = Pick<ControlProps, 'id' | 'disabled' | 'status' | 'aria-describedby' | 'aria-labelledby'> & {
  value: File | undefined
  onChange: (value: File | undefined) => void
  /** As the `accept` attribute: `.bin,application/zip`. */
  accept?: string | undefined
}

/** One file, dropped or chosen; uploaded when the form is submitted. */
export function UploadInput({ value, onChange, accept, disabled, status, id, ...aria }: UploadInputProps) {
  const words = useUiWords()
  const locale = useUiLocale()
  const handleChange: UploadProps['onChange'] = (event) => onChange(getValueFromEvent(event).at(-1)?.originFileObj)
  if (value)
    return (
      <div className="ui-file">
        <Icon name="file" />
        <span className="ui-file-name">{value.name}</span>
        <span className="ui-file-size">{fileSize(value.size, locale, words.sizeUnits.split(' '))}</span>
        <IconButton
          icon="close"
          size="small"
          label={words.fileRemove}
          disabled={disabled}
          onClick={() => onChange(undefined)}
        />
      </div>
    )
  return (
    <AntdProvider>
      <Upload.Dragger
        {...given({ ...aria, id, accept, disabled })}
        className={status ? `ui-drop ui-drop-${status}` : 'ui-drop'}
        multiple={false}
        showUploadList={false}
        beforeUpload={() => false}
        onChange={handleChange}
      >
        <span className="ui-drop-text">
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
