import { furtherPlaces, mostPlaces } from '#resources/fleet/cell-place.ts'
import type { Queryable } from '#server/db/query.ts'
import { type Place, placeKey } from '#server/fleet/warning/announce-warnings.ts'
import type { Ending, Finding } from '#server/fleet/warning/evaluate.ts'
import type { Transition } from '#server/fleet/warning/warning-webhooks.ts'
import { BodyNotices, isHeldBack } from './body-notices.ts'
import { EndedDays, isSameDay } from './ended-days.ts'
import {
  type Asked,
  type Bounds,
  endedOf,
  hasEndedLately,
  lockWarnings,
  type Openings,
  openingKey,
  openingsOf,
  reopenWithinMs,
  withOpening,
} from './known-warnings.ts'
import { gradeEntry, isRise } from './warning-grade.ts'
import {
  begun,
  type ChangeTime,
  type Evidence,
  ended,
  isOf,
  type NewRow,
  type Observed,
  observed,
  regraded,
  reopened,
  type WarningRow,
} from './warning-row.ts'
import type { Writing } from './write-changes.ts'

/**
 * Unit of work: the warnings of a board or system change in memory, in the order of its frames, and are written when the frames of the
 * transaction have been observed. So a body costs few statements for thousands of findings, and so do findings at thousands of boards.
 */
export class WarningChanges {
  readonly #place: Place
  readonly #earliest: Date
  #rows: Map<string, WarningRow[]> | undefined
  #openings: Openings | undefined
  readonly #ended = new EndedDays()
  readonly #added = new Map<string, NewRow>()
  /** Versions before their changes. */
  readonly #changed = new Map<string, number>()
  readonly #notices = new BodyNotices()
  readonly #writing: Omit<Writing, 'added' | 'changed' | 'announced' | 'notices'> = {
    reopenedMuted: [],
    openings: [],
    transitions: [],
    grades: [],
  }

  /** `earliest`: the first time, by the board, at which something may change. */
  constructor(place: Place, earliest: Date) {
    this.#place = place
    this.#earliest = earliest
  }

  static readonly #asked = (all: readonly WarningChanges[], bounds: Bounds): Asked => ({
    ...bounds,
    places: all.map((one) => one.#place),
    earliest: new Date(Math.min(...all.map((one) => one.#earliest.getTime()))),
  })

  /** Reads what is known of boards or systems, once; needed before any change. */
  static async load(db: Queryable, all: readonly WarningChanges[], bounds: Bounds = {}): Promise<void> {
    const asked = all.filter((one) => !one.#rows)
    if (asked.length === 0) return
    const rows = await lockWarnings(db, WarningChanges.#asked(asked, bounds))
    const byPlace = new Map<string, WarningRow[]>()
    for (const row of rows) byPlace.set(placeKey(row), [...(byPlace.get(placeKey(row)) ?? []), row])
    for (const one of asked) {
      one.#rows = new Map()
      for (const row of byPlace.get(placeKey(one.#place)) ?? []) one.#keep(row)
    }
  }

  /** Reads how often conditions have come and gone, once; needed before anything is raised. */
  static async loadPast(db: Queryable, all: readonly WarningChanges[], bounds: Bounds = {}): Promise<void> {
    const asked = all.filter((one) => !one.#openings)
    if (asked.length === 0) return
    const known = WarningChanges.#asked(asked, bounds)
    const [openings, ended] = await Promise.all([openingsOf(db, known), endedOf(db, known)])
    const byPlace = new Map(asked.map((one) => [placeKey(one.#place), one.#ended]))
    for (const { place, day, count, ...one } of ended) byPlace.get(place)?.add(one, new Date(day), count)
    for (const one of asked) one.#openings = openings.get(placeKey(one.#place))
  }

  #of = (code: string): WarningRow[] => this.#rows?.get(code) ?? []

  #keep(row: WarningRow): void {
    this.#rows?.set(row.code, [...this.#of(row.code).filter(({ id }) => id !== row.id), row])
  }

  #change(row: WarningRow): void {
    const added = this.#added.get(row.id)
    const before = this.#of(row.code).find(({ id }) => id === row.id)
    if (added) this.#added.set(row.id, { ...added, ...row })
    else if (!this.#changed.has(row.id)) this.#changed.set(row.id, before?.version ?? row.version)
    this.#keep(row)
  }

  /** A finding that is told late of a day with enough ended ones: a live one is always a warning of its own. */
  #isFull = (code: string, essId: string | null, { at, now }: ChangeTime): boolean =>
    now.getTime() - at.getTime() > reopenWithinMs && this.#ended.isFull(code, essId, at)

  /** Open, ended lately, or ended at the very place on a full day. */
  #mayReturn = (row: WarningRow, place: string | null, time: ChangeTime): boolean =>
    row.active ||
    hasEndedLately(row, time) ||
    (row.subject === place && isSameDay(row.clearedAt, time.at) && this.#isFull(row.code, row.essId, time))

  /**
   * The open warning of a finding, or one that ended before at the same system and is reopened. Findings of a board are
   * distinguished by subject, if both have one; for the server a subject is only descriptive.
   */
  #knownOf({ code, source, subject }: Finding, essId: string | null, time: ChangeTime): WarningRow | undefined {
    const isSame = (row: WarningRow) =>
      source === 'SERVER' || subject === null || row.subject === null || row.subject === subject
    const isHere = (row: WarningRow) => this.#mayReturn(row, source === 'SERVER' ? row.subject : subject, time)
    // A warning where the board stands now ends the same one that was left elsewhere.
    const isElsewhere = (row: WarningRow) =>
      row.active && essId === this.#place.essId && (source === 'SERVER' || row.subject === subject)
    const rankOf = (row: WarningRow) => (row.active ? 2 : 0) + (row.subject === subject ? 1 : 0)
    const lastOf = ({ clearedAt }: WarningRow) => clearedAt?.getTime() ?? Number.POSITIVE_INFINITY
    return this.#of(code)
      .filter((row) => isSame(row) && (row.essId === essId ? isHere(row) : isElsewhere(row)))
      .reduce<WarningRow | undefined>((best, row) => {
        if (!best || rankOf(row) > rankOf(best)) return row
        return rankOf(row) === rankOf(best) && lastOf(row) > lastOf(best) ? row : best
      }, undefined)
  }

  /** A finding at a place beyond those that a code may have belongs to the warning of all further places. */
  #within(finding: Finding, essId: string | null, time: ChangeTime): Finding {
    const { code, source, subject } = finding
    if (source === 'SERVER') return finding
    const [isFull, further] = [this.#isFull(code, essId, time), { ...finding, subject: furtherPlaces }]
    const mayReturn = (row: WarningRow, place: string | null) => row.essId === essId && this.#mayReturn(row, place, time)
    if (subject === null) return isFull && !this.#of(code).some((row) => mayReturn(row, null)) ? further : finding
    const isAround = (row: WarningRow) =>
      row.active || (mayReturn(row, row.subject) && row.startedAt.getTime() < time.at.getTime() + reopenWithinMs)
    const places = new Set(
      this.#of(code).flatMap((row) => (row.subject && row.subject !== furtherPlaces && isAround(row) ? [row.subject] : [])),
    )
    return places.has(subject) || (!isFull && places.size < mostPlaces) ? finding : further
  }

  /** Counts an opening; returns true when the openings within the hour make the warning flapping. */
  #countOpening(finding: Finding, at: Date): boolean {
    const { openings, flaps } = withOpening(this.#openings ?? new Map(), openingKey(finding), at)
    this.#openings = openings
    return flaps
  }

  #tell(type: Transition['type'], row: WarningRow, former?: Transition['former']): void {
    if (!row.suppressed) this.#writing.transitions.push({ type, row, ...(former ? { former } : {}) })
  }

  #add(row: NewRow): NewRow {
    this.#added.set(row.id, row)
    this.#keep(row)
    return row
  }

  /** Changes an open warning: a rise of its severity is notified like a new warning. */
  #regrade(known: WarningRow, finding: Finding, time: ChangeTime): WarningRow {
    const { severity } = finding
    if (finding.subject === furtherPlaces && severity === known.severity) {
      this.#change(observed(known, { ...finding, at: time.at }))
      return known
    }
    const row = regraded(known, finding, time)
    this.#change(row)
    if (severity === known.severity) return row
    this.#writing.grades.push(gradeEntry(known, finding, time.now))
    this.#tell('warning.severity-changed', row, known.severity)
    if (isRise(known, finding) && !known.suppressed && !known.flapping) this.#notices.add(row)
    return row
  }

  #end(row: WarningRow, time: ChangeTime, seenAt: Date | null): void {
    const over = ended(row, time, seenAt)
    this.#change(over)
    this.#ended.add(row, time.at, 1)
    this.#tell('warning.cleared', over)
  }

  /** Open elsewhere while the board has the same where it stands now: a code and place have one open warning. */
  #isLeft = (known: WarningRow | undefined, essId: string | null): known is WarningRow =>
    known?.active === true && known.essId !== essId && essId === this.#place.essId

  /**
   * Opens a warning, reopens one that ended within ten minutes or is told late of a full day, or changes the severity of an open
   * one. No notification during maintenance or while flapping. Returns the warning; none of a former system at a place that has
   * one where the board stands now.
   */
  raise(found: { finding: Finding; essId: string | null; evidence: Evidence }, time: ChangeTime): WarningRow | undefined {
    const { essId, evidence } = found
    const finding = this.#within(found.finding, essId, time)
    const { severity } = finding
    const before = this.#knownOf(finding, essId, time)
    const isLeft = this.#isLeft(before, essId)
    if (isLeft) this.#end(before, time, null)
    const known = isLeft ? this.#knownOf(finding, essId, time) : before
    const same = this.#of(finding.code).find(isOf(finding))
    if (same && same.id !== known?.id) return undefined
    if (known?.active) return this.#regrade(known, finding, time)
    const flapping = this.#countOpening(finding, time.at)
    const { suppressed } = evidence
    // One of a full day counts another time, and is as new to people.
    const isAnew = known !== undefined && !hasEndedLately(known, time)
    const row = known
      ? reopened(known, finding, time, { flapping, suppressed, isAnew })
      : this.#add(begun(finding, time, { ...evidence, place: { ...this.#place, essId }, flapping }))
    if (known) {
      this.#change(row)
      if (known.clearedAt) this.#ended.add(known, known.clearedAt, -1)
      if (suppressed) this.#writing.reopenedMuted.push({ id: row.id, essId })
      if (severity !== known.severity) this.#writing.grades.push(gradeEntry(known, finding, time.now))
    }
    this.#writing.openings.push({ id: row.id, place: placeKey(this.#place), code: openingKey(finding), at: time.at })
    this.#tell('warning.raised', row)
    if (!suppressed && !isHeldBack(known, flapping, isAnew)) this.#notices.add(row, isAnew)
    return row
  }

  /** The conditions of open warnings were observed. */
  observe(seen: readonly Observed[]): void {
    for (const one of seen) for (const row of this.#of(one.code).filter(isOf(one))) this.#change(observed(row, one))
  }

  /** Ends every open warning, latched ones too: the board has left the place where they were raised. */
  endAll(time: ChangeTime): void {
    for (const row of [...(this.#rows?.values() ?? [])].flat()) if (row.active) this.#end(row, time, null)
  }

  /** Ends open warnings, except latched ones. `seenAt`: the last time at which their condition held. */
  end(endings: readonly Ending[], time: ChangeTime, seenAt: Date | null): void {
    for (const { code, subject } of endings)
      for (const row of this.#of(code)) {
        if (!row.active || row.latched || (subject !== undefined && row.subject !== subject)) continue
        this.#end(row, time, seenAt)
      }
  }

  /** Everything that has changed. */
  toWrite(): Writing {
    const changed = [...(this.#rows?.values() ?? [])].flat().filter(({ id }) => this.#changed.has(id))
    const announced = changed.filter(({ id, version }) => version !== this.#changed.get(id))
    return { ...this.#writing, added: [...this.#added.values()], changed, announced, notices: this.#notices.toWrite(changed) }
  }
}
