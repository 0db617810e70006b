/**
 * Ended warnings of a board and a code at a system on one day by the board's clock. Nobody reads more of them one by one, and a
 * board may tell of a year of past; each further time is counted by the last one of its place.
 */
export const mostEndedADay = 16
