import type { ChangeEvent } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { classes } from '#ui/theme/classes.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import type { ControlProps } from './control-props.ts'
import './file-pick.css'

export type FilePickProps = Omit<ControlProps, 'readOnly' | 'placeholder'> & {
  onPick: (files: readonly File[]) => void
  multiple?: boolean | undefined
  /** As the `accept` attribute: `.bin,application/zip`. */
  accept?: string | undefined
}

/** The browser's native file input, laid over the box: the label, the keyboard and drag and drop work without further code. */
export function FilePick({ onPick, accept, multiple, status, ...input }: FilePickProps) {
  const words = useUiWords()
  const handleChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Allows choosing the same file again after it was corrected.
    target.value = ''
    if (files.length > 0) onPick(files)
  }
  return (
    <div className={classes('ui-pick', status && `ui-pick-${status}`)}>
      <input {...input} type="file" accept={accept} multiple={multiple} onChange={handleChange} />
      <span className="ui-pick-text" aria-hidden="true">
        <Icon name="upload" /> {words.fileDrop}
      </span>
    </div>
  )
}
