import type { Label } from '#schema/words.ts'

export const viewChoicesWords = {
  columns: ['Columns', 'Столбцы'],
  resetColumns: ['Default columns', 'Столбцы по умолчанию'],
  compact: ['Compact rows', 'Плотные строки'],
} as const satisfies Record<string, Label>
