import { describe, expect, it } from 'vitest'
import { controlPcb } from '#resources/control-pcb.ts'
import { isChannel } from '#resources/fleet/channel-of.ts'
import { failureGuides } from '#resources/fleet/failure-guides.ts'
import { plainWords } from '#resources/fleet/warnings/plain-words.ts'
import type { WarningGuide } from '#resources/fleet/warnings/warning-guide.ts'
import { warningGuides } from '#resources/fleet/warnings/warning-guides.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { updateFailures } from '#resources/shared/updates.ts'
import { fieldAt, fieldOf } from '#schema/definition.ts'
import { filledText, placesOf } from '#schema/format/filled-text.ts'

const guides: readonly (readonly [string, WarningGuide])[] = Object.entries(warningGuides)
const linesOf = ({ meaning, causes, checks, actions }: WarningGuide) => [meaning, ...causes, ...checks, ...actions]

const isKnown = (name: string): boolean => {
  const [source, ...path] = name.split('.')
  if (source === 'setting') return fieldAt(configurationFields, path.join('.')) !== undefined
  if (source === 'pcb') return fieldOf(controlPcb, path.join('.')) !== undefined
  return isChannel(name) || ['value', 'threshold', 'subject'].includes(name)
}

describe('the guides of warnings', () => {
  it.each(guides)('of %s ask only for values that there are, the same in both languages', (_code, guide) => {
    for (const [en, ru] of linesOf(guide)) {
      expect(placesOf(en).filter((name) => !isKnown(name))).toEqual([])
      expect(placesOf(ru).toSorted()).toEqual(placesOf(en).toSorted())
    }
  })

  it('are filled with values, and read well where one is not known', () => {
    const facts: Record<string, string> = { cellVoltageMaxMv: '3,560 mV', cellVoltageMaxPos: 'module 3, cell 7' }
    const text = 'See which cell it is[: now {cellVoltageMaxPos} with {cellVoltageMaxMv}]'
    expect(filledText(text, (name) => facts[name])).toBe('See which cell it is: now module 3, cell 7 with 3,560\u00a0mV')
    expect(filledText(text, (name) => (name === 'cellVoltageMaxMv' ? facts[name] : undefined))).toBe('See which cell it is')
  })

  it('hold live values in most of the codes', () => {
    const live = guides.filter(([, guide]) => linesOf(guide).some(([en]) => placesOf(en).length > 0))
    expect(live.length).toBeGreaterThan(20)
  })
})

describe('the guides of failed updates', () => {
  it('say what to do about every failure', () => {
    expect(Object.keys(failureGuides).toSorted()).toEqual([...Object.keys(updateFailures), 'ROLLED_BACK'].toSorted())
  })
})

describe('the plain words of warnings', () => {
  it.each(guides)('of %s speak of nothing that only the service knows, in neither language', (code) => {
    const { title, meaning } = plainWords(code)
    for (const text of [...title, ...meaning]) {
      expect(text).not.toMatch(/\b(?:boards?|packets?|firmware|configuration|contactor|BMS|PCB)\b|[{}[\]]|_/i)
      expect(text).not.toMatch(/плат[аыеуой]|пакет|прошивк|конфигураци|контактор/i)
    }
  })

  it('are there for a code that this console does not know, too', () => {
    expect(plainWords('GREMLINS').title).toEqual(['The system reports a fault', 'Система сообщает о неисправности'])
  })
})
