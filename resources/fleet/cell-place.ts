/** The position of a cell in a subject and in channels, `m9/c7`; of a warning also all places beyond those with one of their own. */
export const cellPlace = {
  pattern: '^(?:m0*(?<module>\\d+)/c0*(?<cell>\\d+)|(?<more>more))$',
  label: [
    '{more, select, more {more places} other {module {module}, cell {cell}}}',
    '{more, select, more {ещё места} other {модуль {module}, ячейка {cell}}}',
  ],
} as const

/**
 * Open warnings of a board and a code that have a place of their own: nobody deals with more of them one by one, and a board names
 * sixty thousand places. All further places share one warning, so that none is lost.
 */
export const mostPlaces = 16
export const furtherPlaces = 'more'
