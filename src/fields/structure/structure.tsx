import { type ReactNode, Suspense } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Wording, WritePart } from '#fields/field-kind.ts'
import { fieldWords } from '#fields/words.ts'
import { formatMessage } from '#schema/format/message.ts'
import { valueAt } from '#schema/rule.ts'
import { intlOf, say } from '#schema/words.ts'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { LazyView } from '#ui/layout/lazy-chunk.tsx'
import { flowCode } from './flow-code.ts'
import { ListRows } from './list-rows.tsx'

function groupText(field: FieldIn<'group'>, value: unknown, { language }: Wording, write: WritePart): string {
  const parts = Object.entries(field.fields).map(([name, part]) => [name, write(part, valueAt(value, name))] as const)
  if (field.line) return formatMessage(field.line, Object.fromEntries(parts), intlOf(language))
  return parts.flatMap(([, text]) => text || []).join(', ')
}

function Group(props: DisplayProps<'group'>) {
  const { field, path, value, place, draw, write } = props
  const sayLabel = useSay()
  const language = useLanguage()
  if (field.line) return <span className="field-text">{groupText(field, value, { language }, write)}</span>
  if (field.flow)
    return (
      <Suspense fallback={null}>
        <LazyView code={flowCode} props={{ field, flow: field.flow, value, write }} />
      </Suspense>
    )
  const items = Object.entries(field.fields).map(([name, part]) => ({
    key: name,
    label: sayLabel(part.label),
    value: draw({ field: part, path: `${path}.${name}`, value: valueAt(value, name), place }),
  }))
  if (place !== 'record') return <GroupLine items={items} />
  return <DescriptionList items={items} />
}

type Line = { key: string; value: ReactNode }

const GroupLine = ({ items }: { items: readonly Line[] }) => (
  <span className="field-line">
    {items.map(({ key, value }) => (
      <span key={key}>{value}</span>
    ))}
  </span>
)

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const countText = (value: unknown, { language }: Wording) => say(fieldWords.items, language, { count: itemsOf(value).length })

function List(props: DisplayProps<'list'>) {
  const { value, place } = props
  const language = useLanguage()
  if (place !== 'record' || itemsOf(value).length === 0)
    return <span className="field-text">{countText(value, { language })}</span>
  return <ListRows {...props} />
}

function Json({ value, place }: DisplayProps<'json'>) {
  if (place !== 'record') return <code className="field-code">{JSON.stringify(value)}</code>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
    <pre className="field-pre" tabIndex={0} translate="no">
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}

/** Hex digits in pairs, one per byte. */
const pairs = (value: unknown) => String(value).replace(/(..)(?=.)/g, '$1 ')

const Hex = ({ value, place }: DisplayProps<'hex'>) => (
  <span className={place === 'record' ? 'field-hex' : 'field-code'}>{pairs(value)}</span>
)

export const structureKinds = {
  group: { Display: Group, toText: groupText, wide: true },
  list: {
    Display: List,
    toText: (_field: FieldIn<'list'>, value: unknown, wording: Wording) => countText(value, wording),
    wide: true,
  },
  json: { Display: Json, toText: (_field: FieldIn<'json'>, value: unknown) => JSON.stringify(value), wide: true },
  hex: { Display: Hex, toText: (_field: FieldIn<'hex'>, value: unknown) => String(value) },
} satisfies {
  group: FieldKind<'group'>
  list: FieldKind<'list'>
  json: FieldKind<'json'>
  hex: FieldKind<'hex'>
}
