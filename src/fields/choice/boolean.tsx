import { useSay } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind } from '#fields/field-kind.ts'
import { fieldWords } from '#fields/words.ts'
import { say } from '#schema/words.ts'
import { Icon } from '#ui/icon/icon.tsx'

const wordOf = (value: unknown) => (value === true ? fieldWords.yes : fieldWords.no)

function Display({ value }: DisplayProps<'boolean'>) {
  const sayLabel = useSay()
  return (
    <span className="field-boolean">
      <Icon name={value === true ? 'check' : 'close'} sizePx={14} />
      {sayLabel(wordOf(value))}
    </span>
  )
}

export const booleanKinds = {
  boolean: {
    Display,
    toText: (_field: FieldIn<'boolean'>, value: unknown, { language }) => say(wordOf(value), language),
  },
} satisfies { boolean: FieldKind<'boolean'> }
