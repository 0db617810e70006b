/** The position of a cell in a subject and in channels: `m9/c7`. */
export const cellPlace = {
  pattern: '^m0*(?<module>\\d+)/c0*(?<cell>\\d+)$',
  label: ['module {module}, cell {cell}', 'модуль {module}, ячейка {cell}'],
} as const
