import { describe, expect, it } from 'vitest'
import { controlPcb } from '#resources/control-pcb.ts'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { user as declared } from '#resources/user.ts'
import { cardOf, withOrder } from '#views/cards/card-of.ts'

const { card: _, ...list } = declared.list ?? expect.fail()
const user = { ...declared, list }

describe('the two lines of a card', () => {
  it('are those that the definition declares, as long as its own columns are on the screen', () => {
    expect(cardOf(telemetryWarning)).toEqual([
      ['severity', 'code'],
      ['essId', 'state', 'raisedAt'],
    ])
    expect(cardOf(telemetryWarning, ['severity', 'code', 'value', 'subject'])).toEqual([
      ['code', 'severity'],
      ['value', 'subject'],
    ])
  })

  it('are else derived: title and first state, under them the next columns', () => {
    expect(cardOf(user)).toEqual([
      ['email', 'status'],
      ['name', 'role', 'essCount'],
    ])
    expect(cardOf(controlPcb, ['essId', 'role', 'lifecycle'])).toEqual([['essId', 'lifecycle'], ['role']])
  })

  it('show the key of the order, too', () => {
    expect(withOrder(cardOf(user), 'lastLoginAt')).toEqual([
      ['email', 'status'],
      ['lastLoginAt', 'name', 'role', 'essCount'],
    ])
    expect(withOrder(cardOf(user), 'role')).toEqual(cardOf(user))
    expect(withOrder(cardOf(user), undefined)).toEqual(cardOf(user))
  })
})
