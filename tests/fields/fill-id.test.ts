import { describe, expect, it } from 'vitest'
import { fillId } from '#fields/reference/use-reference-loader.ts'

describe('the path of the choices of a reference', () => {
  it('has the id of the record in it', () => {
    expect(fillId('ess/{id}/clients?of={id}', 'a b')).toBe('ess/a%20b/clients?of=a%20b')
  })

  it.each([
    ['firmware/for-request-update?controlPcbId={id}', 'firmware/for-request-update'],
    ['firmware?status=RELEASED&board={id}', 'firmware?status=RELEASED'],
    ['firmware?board={id}&status=RELEASED', 'firmware?status=RELEASED'],
    ['firmware?status=RELEASED', 'firmware?status=RELEASED'],
  ])('for many records at once asks for no single one: %s', (template, path) => {
    expect(fillId(template, undefined)).toBe(path)
  })

  it('is none where the call itself is about one record', () => {
    expect(fillId('ess/{id}/clients-to-invite', undefined)).toBeUndefined()
  })
})
