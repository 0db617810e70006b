import { describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { entryField } from '#views/history/entry-field.ts'

const definitions = definitionsOf(resources)
const resource = definitions.get('ess')
const fieldOf = (action: string, name = 'userId') => entryField({ resource, action }, name, definitions)

describe('the person in an entry of an ESS', () => {
  it('is a person where the server has ended an access, of a guest or of an engineer', () => {
    expect(fieldOf('end-access')).toMatchObject({ label: ['Person', expect.any(String)], to: 'user' })
  })

  it('is what the form of its action calls it', () => {
    expect(fieldOf('invite-guest')).toMatchObject({ label: ['Client', expect.any(String)], to: 'client' })
    expect(fieldOf('invite-service-engineer')).toMatchObject({ label: ['Engineer', expect.any(String)], to: 'user' })
  })

  it('leaves a field of the record to the record', () => {
    expect(fieldOf('update', 'ownerId')).toBe(resource?.fields.ownerId)
  })
})
