import type { z } from 'zod'
import type { Field } from './field-types.ts'
import { exactText } from './format/exact-text.ts'
import { acceptWords, formatLimit } from './format/file-words.ts'
import type { Label } from './words.ts'
import { type Language, say } from './words.ts'

/** One fault of one value: its path, its code, and the parameters of its text. */
export type Fault = { path: string; code: string; params?: Readonly<Record<string, string | number>> }

const texts = {
  required: ['This field is required', 'Обязательное поле'],
  'wrong-type': ['This value has the wrong type', 'Значение неверного типа'],
  'too-short': ['Use at least {min} characters', 'Не меньше {min} символов'],
  'too-long': ['Use at most {max} characters', 'Не больше {max} символов'],
  'too-small': ['Must be {min} or more', 'Должно быть не меньше {min}'],
  'too-big': ['Must be {max} or less', 'Должно быть не больше {max}'],
  'too-few': ['Choose at least {min}', 'Выберите не меньше {min}'],
  'too-many': ['At most {max} are allowed', 'Допустимо не больше {max}'],
  'not-integer': ['Use a whole number', 'Нужно целое число'],
  'not-number': ['Use a number', 'Нужно число'],
  'too-many-figures': ['Use at most {max} figures', 'Не больше {max} значащих цифр'],
  'too-many-decimals': [
    '{digits, plural, =0 {Use a whole number} one {Use at most # decimal} other {Use at most # decimals}}',
    '{digits, plural, =0 {Нужно целое число} one {Не больше # знака после запятой} other {Не больше # знаков после запятой}}',
  ],
  'bad-email': ['This is not an e-mail address', 'Это не адрес электронной почты'],
  'bad-phone': ['Use the international form, like +79161234567', 'Международный формат, например +79161234567'],
  'bad-url': ['Use a full address that starts with https://', 'Полный адрес, начиная с https://'],
  'bad-date': ['Use a date like 2026-03-31', 'Дата вида 2026-03-31'],
  'bad-time': ['Use a date and a time (in the API as ISO 8601)', 'Нужны дата и время (в API по ISO 8601)'],
  'too-early': ['Use a date from {year} on', 'Нужна дата не раньше {year} года'],
  'bad-zone': ['Unknown time zone; use a name like Europe/Moscow', 'Неизвестный часовой пояс; пример: Europe/Moscow'],
  'bad-hex': ['Use pairs of hexadecimal digits', 'Нужны пары шестнадцатеричных цифр'],
  'hex-digits': [
    'Use {digits} hexadecimal digits: 0–9, A–F',
    '{digits, plural, few {Нужны # шестнадцатеричные цифры} other {Нужно # шестнадцатеричных цифр}}: 0–9, A–F',
  ],
  'bad-semver': ['Use a version like 2.14.0', 'Версия вида 2.14.0'],
  'bad-pattern': ['This does not have the expected form', 'Не соответствует ожидаемому формату'],
  'bad-text': ['This text has characters that cannot be stored', 'В тексте есть недопустимые символы'],
  'not-a-choice': ['Choose one of: {choices}', 'Допустимые значения: {choices}'],
  'unknown-key': ['There is no field “{key}” here', 'Поля «{key}» здесь нет'],
  'read-only': ['“{key}” cannot be changed here', '«{key}» здесь изменить нельзя'],
  'read-only-now': [
    'This cannot be changed in the present state of the record',
    'В нынешнем состоянии записи это изменить нельзя',
  ],
  'unknown-field': ['There is no field “{key}” to filter or sort by', 'Поля «{key}» для фильтра или сортировки нет'],
  'unknown-column': ['There is no column “{key}”', 'Столбца «{key}» нет'],
  'detail-only': [
    '“{key}” is on the page of a record only; lists and exports leave it out',
    '«{key}» есть только на странице записи, в списках и выгрузках его нет',
  ],
  'unknown-operator': ['“{key}” cannot be compared that way', '«{key}» так сравнивать нельзя'],
  'bad-page': [
    '_start and _end are whole numbers, at most 200 rows apart',
    '_start и _end — целые числа, не больше 200 строк на страницу',
  ],
  'no-such-record': ['There is no such record', 'Такой записи нет'],
  'several-such-records': [
    'Several records are called so; use the id',
    'Так называется несколько записей, укажите идентификатор',
  ],
  'not-offered': ['This cannot be chosen here', 'Здесь это выбрать нельзя'],
  'parent-first': ['First choose what this depends on', 'Сначала выберите то, от чего это зависит'],
  'named-parent-first': ['First choose: {parents}', 'Сначала выберите: {parents}'],
  'helped-pattern': ['This does not have the expected form: {help}', 'Не соответствует ожидаемому формату: {help}'],
  circle: ['This would be part of itself', 'Запись окажется внутри самой себя'],
  'not-applicable': ['There is no such value here: leave it empty', 'Здесь это поле не заполняется'],
  'file-too-big': ['The file may have at most {maxBytes}', 'Файл — не больше {maxBytes}'],
  'file-empty': ['The file is empty', 'Файл пуст'],
  'file-type': ['Choose a file of this kind: {accept}', 'Допустимые файлы: {accept}'],
  'file-content': [
    'The content is not what the name of the file says. Save it in its own format and choose it again',
    'Содержимое не соответствует имени файла. Сохраните его в своём формате и выберите снова',
  ],
  'no-such-file': [
    'This file was removed, or it belongs to another record. Choose it again',
    'Файл удалён или относится к другой записи. Выберите его снова',
  ],
  repeated: ['Each may be named only once', 'Каждое значение можно указать только один раз'],
  'password-is-email': ['Choose something other than the e-mail address', 'Пароль не должен совпадать с почтой'],
  'common-password': ['This password is easy to guess. Choose another one', 'Такой пароль легко угадать, выберите другой'],
  'changes-nothing': ['This is so already: choose another value', 'Так уже и есть: выберите другое значение'],
  rule: ['This value does not fit the others', 'Значение не согласуется с другими'],
} satisfies Record<string, Label>

/** Codes with a text. */
export type FaultCode = keyof typeof texts
const textOf: Readonly<Record<string, Label>> = texts

/** True for a bound of a value, which has the unit of its field; other bounds are counts. */
export const isOfValue = ({ code }: Fault): boolean => code === 'too-small' || code === 'too-big'

/** A parameter in words: bounds as people read values, and limits of files. */
function paramText(name: string, value: string | number, field: Field | undefined, language: Language): string | number {
  if (name === 'accept') return acceptWords(String(value), language)
  if (typeof value !== 'number') return value
  if (name === 'maxBytes') return formatLimit(value, language)
  return name === 'min' || name === 'max' ? exactText(value, field, language) : value
}

/** The message of a fault in a language, without the field's name. `field`: that of its path, for the unit of a bound. */
export function faultText(fault: Fault, language: Language, field?: Field): string {
  const { code, params = {} } = fault
  const text = textOf[code] ?? texts['wrong-type']
  const measured = isOfValue(fault) ? field : undefined
  const words = Object.entries(params).map(([name, value]) => [name, paramText(name, value, measured, language)])
  return say(text, language, Object.fromEntries(words))
}

type Issue = z.core.$ZodIssue
/** A fault that this file has a text for. */
type Told = Omit<Fault, 'path'> & { code: FaultCode }
const bound = (value: unknown) =>
  typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : String(value)

function small(issue: Extract<Issue, { code: 'too_small' }>): Told {
  const min = bound(issue.minimum)
  const isOfItems = issue.origin === 'array' || issue.origin === 'set'
  if (min === 1 && (isOfItems || issue.origin === 'string')) return { code: 'required' }
  if (issue.origin === 'string') return { code: 'too-short', params: { min } }
  if (isOfItems) return { code: 'too-few', params: { min } }
  return { code: 'too-small', params: { min } }
}
function big(issue: Extract<Issue, { code: 'too_big' }>): Told {
  const max = bound(issue.maximum)
  const code =
    issue.origin === 'string' ? 'too-long' : issue.origin === 'array' || issue.origin === 'set' ? 'too-many' : 'too-big'
  return { code, params: { max } }
}

const missing = (issue: Issue) => issue.input === undefined || issue.input === null

function single(issue: Issue): Omit<Fault, 'path'> {
  if (issue.code === 'custom') return { code: String(issue.params?.code ?? 'rule'), params: issue.params?.facts }
  if (issue.code === 'too_small') return small(issue)
  if (issue.code === 'too_big') return big(issue)
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_union') && missing(issue)) return { code: 'required' }
  if (issue.code === 'invalid_type' && issue.expected === 'int') return { code: 'not-integer' }
  if (issue.code === 'invalid_type' && issue.expected === 'number') return { code: 'not-number' }
  if (issue.code === 'invalid_value')
    return missing(issue) ? { code: 'required' } : { code: 'not-a-choice', params: { choices: issue.values.join(', ') } }
  return { code: 'wrong-type' }
}

/** Converts a zod error to faults: one per issue, unknown keys each with their own path. Parse with `reportInput: true`. */
export function faultsOf(error: { issues: readonly Issue[] }): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    const at = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...at, key].join('.'), code: 'unknown-key', params: { key } }))
    }
    return [{ path: at.join('.'), ...single(issue) }]
  })
}
