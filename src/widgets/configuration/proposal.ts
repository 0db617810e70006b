import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { asDesired, type ConfigurationSync, differing, type Version } from './configuration-sync.ts'
import { configurationWords } from './configuration-words.ts'

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
  label: configurationWords.adopt,
  title: configurationWords.adopt,
  reason: configurationWords.adoptReason,
  version,
  desiredOver: (present) => asDesired(fields, reported, present, true),
})

const again = (version: number): Proposal => ({
  key: 'again',
  label: configurationWords.again,
  title: configurationWords.again,
  reason: configurationWords.againReason,
  text: configurationWords.againText,
  version,
  desiredOver: (present) => present,
})

/** Remedies for the current configuration state. */
export function proposalsFor(sync: ConfigurationSync, fields: Fields): Proposal[] {
  if (!sync.mayEdit || (sync.state !== 'DRIFTED' && sync.state !== 'REJECTED')) return []
  const differs =
    sync.reported && differing(fields, sync.desired, asDesired(fields, sync.reported, sync.desired, true)).length > 0
  return [again(sync.desiredVersion), ...(sync.reported && differs ? [adopt(sync.reported, fields, sync.desiredVersion)] : [])]
}

/** Proposes an older version as the desired one. */
export const restoreOf = ({ version, desired }: Version, fields: Fields): Proposal => ({
  key: `version-${version}`,
  label: configurationWords.restore,
  title: configurationWords.restoreTitle,
  reason: configurationWords.restoreReason,
  version,
  desiredOver: (present) => asDesired(fields, desired, present, false),
})
