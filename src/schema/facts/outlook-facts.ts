import type { Label } from '#schema/words.ts'

/**
 * Preview of the records that a form covers when it is saved, counted while it is filled in: how many, the first of them, and
 * why others are excluded. The resource's server rules answer; the console requests it debounced.
 */
export type Outlook<Path extends string = string> = {
  /** Resource of the records. */
  of: string
  /**
   * Fields that decide the outlook; required ones must be filled first. The outlook is shown below the section of the last one.
   */
  values: readonly Path[]
  /** Advice shown with the count. */
  help?: Label
}

/**
 * List rows that divide the records of the form's outlook, each by a number or by a maximum share in percent. The last row
 * takes the rest. The form shows their sizes as a bar.
 */
export type Division = {
  /** Part with the number. */
  count: string
  /** Part with the share. */
  share: string
  /** Label of a row on the bar; `{number}` counts from 1. */
  label: Label
  /** Rows assumed for an empty list. */
  usual: readonly Readonly<Record<string, number>>[]
}

/** List rows shown as bars, each stacked from counts. */
export type Bars = {
  /** Part that names the row. */
  by: string
  /** Parts with the counts, in order, each with its tone. */
  counts: Readonly<Record<string, 'idle' | 'info' | 'good' | 'warn' | 'bad'>>
}
