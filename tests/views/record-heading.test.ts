import { expect, it } from 'vitest'
import { escalation } from '#resources/escalation.ts'
import { firmwareUpdate } from '#resources/firmware-update.ts'
import { resources } from '#resources/index.ts'
import { packageControl } from '#resources/package.ts'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { recordHeading } from '#views/show/record-heading.ts'

const id = '01928083-042a-787f-8bf7-4900d1394a84'
const receivedAt = '2026-11-26T11:14:40.000Z'

it('of a record without a title names its moment, and the end of its id where that is not known', () => {
  const words = (record: object, language: 'en' | 'ru' = 'en') =>
    recordHeading(packageControl, { id, ...record }, { language, zone: 'Europe/Berlin' })
  expect(words({ receivedAt })).toBe('Package 26 Nov 2026, 12:14:40')
  expect(words({ receivedAt }, 'ru')).toMatch(/^Пакет 26 нояб\. 2026/)
  expect(words({})).toBe('Package d1394a84')
})

it('of a record whose title is a code is the label of it', () => {
  expect(recordHeading(telemetryWarning, { id, code: 'CLOCK_DRIFT' }, { language: 'en' })).toBe('Clock of the board is wrong')
  expect(recordHeading(escalation, { id, severity: 'CRITICAL' }, { language: 'ru' })).toBe('Авария')
})

it('names the records that it is about behind the title', () => {
  const definitions = definitionsOf(resources)
  const about = { controlPcbId: '1', controlPcb: { id: '1', code: 'PCB-16B648DD' } }
  const words = (resource: AnyResource, record: object) =>
    recordHeading(resource, { id, ...record }, { language: 'en', definitions })
  expect(words(firmwareUpdate, { toVersion: '2.1.3', ...about })).toBe('2.1.3 · PCB-16B648DD')
  const ess = { essId: '2', ess: { id: '2', code: 'ESS-000065', name: 'Haus Wien 65' } }
  expect(words(telemetryWarning, { code: 'CLOCK_DRIFT', ...about, ...ess })).toBe(
    'Clock of the board is wrong · ESS-000065 · PCB-16B648DD',
  )
})

it('says of a record that the viewer may not see that it is not available, and no id', () => {
  const row = { id, code: 'CLOCK_DRIFT', essId: '018b454f-bfc6-7000-8000-000000000000', ess: null }
  const words = (language: 'en' | 'ru') =>
    recordHeading(telemetryWarning, row, { language, definitions: definitionsOf(resources) })
  expect(words('en')).toBe('Clock of the board is wrong · Not available')
  expect(words('ru')).toMatch(/ · Недоступно$/)
})
