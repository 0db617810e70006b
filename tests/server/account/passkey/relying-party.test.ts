import { describe, expect, it } from 'vitest'
import { relyingPartyOf } from '#server/account/passkey/relying-party.ts'
import { readConfig } from '#server/base/config.ts'

describe('the relying party of a console', () => {
  it.each([
    ['https://console.example', { id: 'console.example', origin: 'https://console.example' }],
    ['https://console.example:8443', { id: 'console.example', origin: 'https://console.example:8443' }],
    ['http://localhost:5173', { id: 'localhost', origin: 'http://localhost:5173' }],
    ['http://fleet.localhost', { id: 'fleet.localhost', origin: 'http://fleet.localhost' }],
  ])('is host and address of %s', (publicUrl, party) => {
    expect(relyingPartyOf({ publicUrl })).toEqual(party)
  })

  it.each(['http://console.example', 'https://192.0.2.7', 'https://[2001:db8::7]', 'http://10.0.0.4:8080'])(
    'is none at %s: browsers take no passkeys there',
    (publicUrl) => {
      expect(relyingPartyOf({ publicUrl })).toBeUndefined()
    },
  )

  it.each<[string, Record<string, string>]>([
    ['without settings', {}],
    ['on every network', { HOST: '0.0.0.0' }],
    ['on the own machine by IPv6', { HOST: '::1' }],
  ])('is localhost for a server %s, as in development', (_, env) => {
    expect(relyingPartyOf(readConfig(env))).toEqual({ id: 'localhost', origin: 'http://localhost:8080' })
  })
})
