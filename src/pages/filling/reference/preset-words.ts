import type { Label } from '#schema/words.ts'

export const presetWords = {
  table: ['Cell voltage by chemistry, mV', 'Напряжение ячеек по химии, мВ'],
  lead: [
    'What the voltage limits of a board may be, by the chemistry of its cells.',
    'Какими могут быть пределы напряжения платы — по химии её ячеек.',
  ],
  chemistry: ['Chemistry', 'Химия'],
  min: ['Lower limit', 'Нижний предел'],
  max: ['Upper limit', 'Верхний предел'],
  usual: ['Usual', 'Обычно'],
  nominal: ['Nominal', 'Номинальное'],
  inputOf: ['{part}: {chemistry}', '{part}: {chemistry}'],
  span: ['{from} – {to}', '{from} – {to}'],
  askSet: ['Change the preset of {chemistry} for the fleet?', 'Изменить пределы для «{chemistry}» для всего парка?'],
  askReset: ['Reset the preset of {chemistry} to its standard?', 'Вернуть пределы для «{chemistry}» к значениям по умолчанию?'],
  line: ['{part}: {before} → {after} mV', '{part}: {before} → {after} мВ'],
  effect: [
    'Of {boards} boards, the wanted limits lie outside the window at {before} now, and would at {outside}.',
    'Плат: {boards}. Заданные пределы вне окна сейчас — {before}, будет — {outside}.',
  ],
  noBoards: ['No board of this chemistry is registered.', 'Плат с такой химией ячеек нет.'],
  example: ['{place}: {min} – {max} mV', '{place}: {min} – {max} мВ'],
  fromNow: [
    'It applies to new configurations; boards keep what they run with.',
    'Действует для новых конфигураций; то, с чем платы работают сейчас, не изменится.',
  ],
  wasSet: ['The preset is changed', 'Пределы изменены'],
  wasReset: ['The preset is back to its standard', 'Пределы возвращены к значениям по умолчанию'],
} as const satisfies Record<string, Label>
