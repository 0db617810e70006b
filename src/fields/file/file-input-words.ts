import type { Label } from '#schema/words.ts'

/** Texts of file inputs, loaded with them. */
export const fileInputWords = {
  upTo: ['up to {size} each', 'до {size} каждый'],
  oneUpTo: ['up to {size}', 'до {size}'],
  most: ['at most {max, plural, one {# file} other {# files}}', 'не больше {max, plural, one {# файла} other {# файлов}}'],
  tooMany: [
    'Not taken: at most {max, plural, one {# file is} other {# files are}} allowed',
    'Не добавлен: допустимо не больше {max, plural, one {# файла} other {# файлов}}',
  ],
} as const satisfies Record<string, Label>
