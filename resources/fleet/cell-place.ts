/** The position of a cell in a subject and in channels: `m9/c7`. */
export const cellPlace = {
  pattern: '^m0*(?<module>0|[1-9]\\d*)/c0*(?<cell>0|[1-9]\\d*)$',
  label: ['module {module}, cell {cell}', 'модуль {module}, ячейка {cell}'],
} as const
