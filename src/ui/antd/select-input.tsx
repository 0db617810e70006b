import '@ant-design/v5-patch-for-react-19'
import { Select } from 'antd'
import { type KeyboardEvent, useId, useState } from 'react'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import type { ControlProps, Option } from '#ui/input/control-props.ts'
import { classes } from '#ui/theme/classes.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'
import { useRequired } from './use-required.ts'
import { type LoadOptions, useSelectOptions } from './use-select-options.ts'

/** An option with secondary text; `group`: the heading above it and its neighbours. */
export type SelectChoice = Option & { hint?: string | undefined; group?: string | undefined }

/** With `options` it is a group heading. */
type AntdChoice = { value: string; label: string; disabled?: boolean; hint?: string | undefined; options?: AntdChoice[] }

type OneOrMany =
  | { multiple?: false | undefined; value: string | undefined; onChange: (value: string | undefined) => void }
  | { multiple: true; value: readonly string[]; onChange: (value: string[]) => void }

export type SelectInputProps = Omit<ControlProps, 'readOnly'> &
  OneOrMany & {
    /** All options of a short list. Alternatively `load`: the first matches of a search. */
    options?: readonly SelectChoice[] | undefined
    load?: LoadOptions | undefined
    /** Labels of the chosen values until their options are loaded. */
    selectedOptions?: readonly SelectChoice[] | undefined
    clearable?: boolean | undefined
  }

type Labeled = { value: string; label: string }

export function SelectInput(props: SelectInputProps) {
  const { multiple, value: _value, onChange: _onChange, options, load, selectedOptions, clearable = true, ...rest } = props
  // antd puts these on the wrapper element, where they have no meaning.
  const { 'aria-required': isRequired, name: _name, ...control } = rest
  const select = useRequired(isRequired)
  const words = useUiWords()
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<readonly SelectChoice[]>([])
  const found = useSelectOptions(load, isOpen, search)
  const valueId = useId()
  const shown = options ?? found.options
  const none = search === '' ? words.noChoices : words.noMatches
  const chosen = chosenOf(props, [...shown, ...(selectedOptions ?? []), ...picked])

  const handleChange = (next: Labeled | Labeled[] | null | undefined) => {
    const values = toList(next).map((choice) => choice.value)
    setPicked([...shown, ...picked].filter((choice) => values.includes(choice.value)))
    if (props.multiple) props.onChange(values)
    else props.onChange(values[0])
  }
  const handleOpenChange = (open: boolean) => {
    setOpen(open)
    if (!open) setSearch('')
  }
  // The clear icon works with the mouse only.
  const handleKeyDown = ({ key }: KeyboardEvent) => {
    if (!multiple && clearable && search === '' && (key === 'Delete' || key === 'Backspace')) handleChange(null)
  }
  return (
    <AntdProvider>
      {/* The list's input does not expose the selected value: screen readers get it as the description. */}
      <span id={valueId} hidden>
        {chosen.map((choice) => choice.label).join(', ')}
      </span>
      <Select<Labeled | Labeled[] | null, AntdChoice>
        ref={select}
        {...given(control)}
        {...(multiple && ({ mode: 'multiple', maxTagCount: 'responsive' } as const))}
        aria-describedby={classes(chosen.length > 0 && valueId, control['aria-describedby']) || undefined}
        className="ui-wide"
        labelInValue
        // Without virtual scrolling the options are a real list for screen readers; it stays short, since `load` returns one
        // page.
        virtual={false}
        showSearch
        value={multiple ? chosen : (chosen[0] ?? null)}
        onChange={handleChange}
        options={grouped(shown)}
        optionRender={(option) => <Choice choice={option.data} />}
        filterOption={load ? false : (text, option) => isMatch(option, text)}
        onSearch={setSearch}
        onInputKeyDown={handleKeyDown}
        open={isOpen}
        onOpenChange={handleOpenChange}
        loading={found.isLoading}
        notFoundContent={<NothingFound isLoading={found.isLoading} text={found.isFailed ? words.loadFailed : none} />}
        allowClear={clearable && { clearIcon: <Icon name="close" sizePx={12} /> }}
        suffixIcon={<Icon name="chevron-down" />}
      />
    </AntdProvider>
  )
}

function toList<T>(value: T | T[] | null | undefined): T[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function chosenOf(props: OneOrMany, known: readonly SelectChoice[]): Labeled[] {
  const values = props.multiple ? props.value : toList(props.value)
  return values.map((value) => ({ value, label: known.find((choice) => choice.value === value)?.label ?? value }))
}

const toAntdChoice = ({ disabled = false, group: _, ...choice }: SelectChoice): AntdChoice => ({ ...choice, disabled })

/** Options grouped under their headings, in the given order. */
function grouped(choices: readonly SelectChoice[]): AntdChoice[] {
  if (choices.every(({ group }) => group === undefined)) return choices.map(toAntdChoice)
  const groups = new Map<string, AntdChoice[]>()
  for (const choice of choices) {
    const own = groups.get(choice.group ?? '') ?? []
    groups.set(choice.group ?? '', [...own, toAntdChoice(choice)])
  }
  return [...groups].map(([label, options]) => ({ value: label, label, options }))
}

function isMatch(choice: AntdChoice | undefined, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return `${choice?.label} ${choice?.hint ?? ''}`.toLowerCase().includes(wanted)
}

function Choice({ choice }: { choice: AntdChoice }) {
  return (
    <span className="ui-choice">
      {choice.label}
      {choice.hint && <span>{choice.hint}</span>}
    </span>
  )
}

function NothingFound({ isLoading, text }: { isLoading: boolean; text: string }) {
  return <div className="ui-choice-none">{isLoading ? <Spinner /> : text}</div>
}
