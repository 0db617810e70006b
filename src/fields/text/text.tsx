import { useConsole } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Wording } from '#fields/field-kind.ts'
import type { FieldType, TypesCompared } from '#schema/field-types.ts'
import { wordedText } from '#schema/format/worded-text.ts'

type TextType = Exclude<TypesCompared<'text'>, 'hex'> | 'secret'

const toText = (field: FieldIn<TextType>, value: unknown, { language }: Pick<Wording, 'language'>): string =>
  'worded' in field && field.worded ? wordedText(field.worded, String(value), language) : String(value)

/** Links for e-mail, phone and URL, but not in a cell, where a click opens the record. */
const addresses: Partial<Record<FieldType, (text: string) => string>> = {
  email: (text) => `mailto:${text}`,
  phone: (text) => `tel:${text}`,
  url: (text) => text,
}

function Plain({ field, value }: DisplayProps<TextType>) {
  const { language } = useConsole()
  return <span className="field-text">{toText(field, value, { language })}</span>
}

function Addressed({ field, value, place }: DisplayProps<TextType>) {
  const text = String(value)
  const address = addresses[field.type]?.(text)
  const safe = place === 'record' && address && /^(mailto:|tel:|https?:)/i.test(address)
  if (!safe) return <span className="field-text">{text}</span>
  return (
    <a className="ui-link field-text" href={address} rel="noreferrer">
      {text}
    </a>
  )
}

const Code = ({ value }: DisplayProps<TextType>) => <span className="field-code">{String(value)}</span>

const Long = ({ value, place }: DisplayProps<TextType>) => (
  <span className={place === 'record' ? 'field-long' : 'field-text'}>{String(value)}</span>
)

const Secret = () => <span aria-hidden="true">••••••</span>

const plain = { Display: Plain, toText } satisfies FieldKind<TextType>
const addressed = { ...plain, Display: Addressed } satisfies FieldKind<TextType>
const code = { ...plain, Display: Code } satisfies FieldKind<TextType>

export const textKinds = {
  text: plain,
  longText: { ...plain, Display: Long, wide: true },
  email: addressed,
  phone: addressed,
  url: addressed,
  code,
  semver: code,
  timezone: plain,
  secret: { Display: Secret, toText: () => '••••••' },
} satisfies { [T in TextType]: FieldKind<T> }
