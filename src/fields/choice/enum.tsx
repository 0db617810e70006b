import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Wording } from '#fields/field-kind.ts'
import { choiceLabel, optionKeys } from '#schema/facts/choices.ts'
import { runsText } from '#schema/format/runs.ts'
import { type Label, say } from '#schema/words.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Tag } from '#ui/feedback/tag.tsx'

type ChoiceType = 'enum' | 'status'

const labelOf = (field: FieldIn<ChoiceType>, value: unknown) => choiceLabel(field, String(value))
const toText = (field: FieldIn<ChoiceType>, value: unknown, { language }: Wording) => say(labelOf(field, value), language)

const Choice = ({ field, value }: DisplayProps<'enum'>) => <span className="field-text">{useSay()(labelOf(field, value))}</span>

function Status({ field, value }: DisplayProps<'status'>) {
  const sayLabel = useSay()
  return <StatusDot tone={field.states[String(value)]?.tone ?? 'idle'}>{sayLabel(labelOf(field, value))}</StatusDot>
}

const tagsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const tagText = (field: FieldIn<'tags'>, tag: string, { language }: Wording) => {
  const label = Object.entries<Label | string>(field.options ?? {}).find(([key]) => key === tag)?.[1]
  return typeof label === 'object' ? say(label, language) : tag
}

function Tags({ field, value }: DisplayProps<'tags'>) {
  const language = useLanguage()
  return (
    <span className="field-tags">
      {tagsOf(value).map((tag) => (
        <Tag key={tag}>{tagText(field, tag, { language })}</Tag>
      ))}
    </span>
  )
}

/** One of a known set, a state with its tone, or several words. */
export const enumKinds = {
  enum: { Display: Choice, toText },
  status: { Display: Status, toText },
  tags: {
    Display: Tags,
    toText: (field: FieldIn<'tags'>, value: unknown, wording: Wording) => {
      const word = (tag: string) => tagText(field, tag, wording)
      return field.runs && field.options
        ? runsText(optionKeys(field.options), tagsOf(value), word)
        : tagsOf(value).map(word).join(', ')
    },
  },
} satisfies { enum: FieldKind<'enum'>; status: FieldKind<'status'>; tags: FieldKind<'tags'> }
