import type { Label } from '#schema/words.ts'

/** The words of an input of files, which come with it. */
export const fileInputWords = {
  upTo: ['up to {size} each', 'до {size} каждый'],
  oneUpTo: ['up to {size}', 'до {size}'],
  most: ['at most {max, plural, one {# file} other {# files}}', 'не больше {max, plural, one {# файла} other {# файлов}}'],
  tooMany: [
    'Not taken: at most {max, plural, one {# file is} other {# files are}} allowed',
    'Не добавлен: допустимо не больше {max, plural, one {# файла} other {# файлов}}',
  ],
} as const satisfies Record<string, Label>
