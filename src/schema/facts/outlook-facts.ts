import type { Label } from '#schema/words.ts'

/**
 * Records of another resource that a form takes in when it is saved, counted while it is filled in: how many, which first, and why
 * others are left out. The rules of the resource answer; the console asks again after each pause in typing.
 */
export type Outlook<Path extends string = string> = {
  /** Resource of the records. */
  of: string
  /** Fields of the form that decide; the required ones of them are needed before it is asked. The count stands below the last one's section. */
  values: readonly Path[]
  /** Advice beside the count. */
  help?: Label
}

/**
 * Rows of a list that divide the records of the form's outlook, each a number of them or up to a share of all in percent. The last one
 * takes the rest. The form draws their sizes as a bar.
 */
export type Division = {
  /** Part of a row with the number. */
  count: string
  /** Part of a row with the share. */
  share: string
  /** Name of a row on the bar, where `{number}` counts from 1. */
  label: Label
  /** Rows that an empty list stands for. */
  usual: readonly Readonly<Record<string, number>>[]
}

/** Rows of a list that are drawn as bars, each stacked from counts. */
export type Bars = {
  /** Part of a row that names it. */
  by: string
  /** Parts of a row with the counts, in their order, each with its tone. */
  counts: Readonly<Record<string, 'idle' | 'info' | 'good' | 'warn' | 'bad'>>
}
