import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { asDesired, differing, type Twin, type Version } from './twin.ts'
import { twinWords } from './twin-words.ts'

/** Prepared values for a new desired configuration. */
export type Proposal = {
  key: string
  label: Label
  title: Label
  reason: Label
  /** Value of the `{version}` placeholder in its texts. */
  version: number
  /** The proposed values merged over the latest desired ones. */
  desiredOver: (present: Row) => Row
  /** Text when there are no changes. */
  text?: Label
}

const adopt = (reported: Row, fields: Fields, version: number): Proposal => ({
  key: 'adopt',
  label: twinWords.adopt,
  title: twinWords.adopt,
  reason: twinWords.adoptReason,
  version,
  desiredOver: (present) => asDesired(fields, reported, present, true),
})

const again = (version: number): Proposal => ({
  key: 'again',
  label: twinWords.again,
  title: twinWords.again,
  reason: twinWords.againReason,
  text: twinWords.againText,
  version,
  desiredOver: (present) => present,
})

/** Remedies for the current configuration state. */
export function proposalsFor(twin: Twin, fields: Fields): Proposal[] {
  if (!twin.mayEdit || (twin.state !== 'DRIFTED' && twin.state !== 'REJECTED')) return []
  const differs =
    twin.reported && differing(fields, twin.desired, asDesired(fields, twin.reported, twin.desired, true)).length > 0
  return [again(twin.desiredVersion), ...(twin.reported && differs ? [adopt(twin.reported, fields, twin.desiredVersion)] : [])]
}

/** Proposes an older version as the desired one. */
export const restoreOf = ({ version, desired }: Version, fields: Fields): Proposal => ({
  key: `version-${version}`,
  label: twinWords.restore,
  title: twinWords.restoreTitle,
  reason: twinWords.restoreReason,
  version,
  desiredOver: (present) => asDesired(fields, desired, present, false),
})
