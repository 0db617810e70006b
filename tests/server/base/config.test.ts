import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, variables } from '#server/base/config.ts'
import { isDemoOpen } from '#server/base/demo-variables.ts'

const faultsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
  return ''
}

describe('the settings', () => {
  it('need nothing', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data',
      publicUrl: 'http://127.0.0.1:8080',
      tokenTtlS: 900,
      demo: false,
    })
    expect(config.databaseUrl).toBeUndefined()
  })

  it('name every fault in one go', () => {
    const text = faultsOf({
      PORT: '99999',
      TOKEN_TTL_S: 'long',
      DATABASE_URL: 'mysql://x',
      ADMIN_EMAIL: 'nobody',
      DEMO: 'perhaps',
      LOG_LEVEL: 'loud',
    })
    for (const name of ['PORT', 'TOKEN_TTL_S', 'DATABASE_URL', 'ADMIN_EMAIL', 'DEMO', 'LOG_LEVEL'])
      expect(text).toContain(`  ${name}: `)
  })

  it('count an empty variable as absent', () => {
    expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 8080, smtpUrl: undefined })
  })

  it('name what contradicts beside what is wrong by itself, and nothing that follows from that', () => {
    const text = faultsOf({ PORT: '99999', NODE_ENV: 'prod', ADMIN_EMAIL: 'ada@x.example', OIDC_ISSUER: 'no address' })
    for (const part of ['PORT: ', 'OIDC_ISSUER: ', 'NODE_ENV: ', 'ADMIN_EMAIL and ADMIN_PASSWORD: '])
      expect(text).toContain(`  ${part}`)
    expect(text.split('\n')).toHaveLength(5)
  })

  it.each(['true', '*', '0.0.0.0/0', '10.0.0.0/0, x', '::/0'])('never believe every proxy: %s', (value) => {
    expect(faultsOf({ TRUST_PROXY: value })).toContain('TRUST_PROXY')
  })

  it('take proxies by number or by address', () => {
    expect(readConfig({ TRUST_PROXY: '1' }).trustProxy).toBe(1)
    expect(readConfig({ TRUST_PROXY: '10.1.0.0/16, loopback, ::1' }).trustProxy).toEqual(['10.1.0.0/16', 'loopback', '::1'])
  })

  it('have a known demo password, but never in production', () => {
    expect(readConfig({ DEMO: '1' }).demoPassword).toBe('demo-password')
    expect(faultsOf({ DEMO: '1', NODE_ENV: 'production' })).toContain('DEMO_PASSWORD')
    expect(readConfig({ DEMO: '1', NODE_ENV: 'production', DEMO_PASSWORD: 'one of my own' }).demo).toBe(true)
    expect(readConfig({}).demoPassword).toBeUndefined()
  })

  it('take no NODE_ENV that is spelt otherwise: a start with it would open the demo', () => {
    for (const value of ['prod', 'Production', 'staging']) expect(faultsOf({ NODE_ENV: value })).toContain('  NODE_ENV: ')
    for (const value of ['production', 'development', 'test', '']) expect(faultsOf({ NODE_ENV: value })).toBe('')
  })

  it('say whether others than this machine reach the demo by its known password', () => {
    const isOpen = (env: Record<string, string>) => isDemoOpen(readConfig({ DEMO: '1', ...env }))
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect([host, isOpen({ HOST: host })]).toEqual([host, false])
    for (const host of ['0.0.0.0', '::', '10.1.2.3', 'ess.example'])
      expect([host, isOpen({ HOST: host })]).toEqual([host, true])
    expect(isOpen({ PUBLIC_URL: 'https://fleet.example' })).toBe(true)
    expect(isOpen({ HOST: '0.0.0.0', DEMO_PASSWORD: 'one of my own' })).toBe(false)
    expect(isOpen({ HOST: '0.0.0.0', DEMO: 'false' })).toBe(false)
  })

  it('make the first admin out of both or neither', () => {
    expect(faultsOf({ ADMIN_EMAIL: 'a@b.example' })).toContain('ADMIN_PASSWORD')
    expect(readConfig({ ADMIN_EMAIL: 'A@B.example', ADMIN_PASSWORD: 'long enough it is' }).adminEmail).toBe('a@b.example')
  })

  it('build links without a doubled slash, and with brackets around IPv6', () => {
    expect(readConfig({ PUBLIC_URL: 'https://ess.example/' }).publicUrl).toBe('https://ess.example')
    expect(readConfig({ HOST: '::1', PORT: '1' }).publicUrl).toBe('http://[::1]:1')
    expect(readConfig({ HOST: '0.0.0.0' }).publicUrl).toBe('http://localhost:8080')
  })

  it('refuse an address with a path, below which the console does not run', () => {
    expect(faultsOf({ PUBLIC_URL: 'https://fleet.example/ess' })).toContain('host name of its own')
    expect(faultsOf({ PUBLIC_URL: 'https://fleet.example/?a=b' })).toContain('PUBLIC_URL')
    expect(faultsOf({ PUBLIC_URL: 'https://fleet.example/#a' })).toContain('PUBLIC_URL')
    expect(faultsOf({ PUBLIC_URL: 'https://name:secret@fleet.example' })).toContain('PUBLIC_URL')
    expect(readConfig({ PUBLIC_URL: 'https://fleet.example:8443//' }).publicUrl).toBe('https://fleet.example:8443')
  })

  it.each([
    [{ MAIL_FROM: 'not an address' }, 'MAIL_FROM: use an address, or a name and an address'],
    [{ MAIL_FROM: 'Desk <not-one>' }, 'MAIL_FROM: use an address, or a name and an address'],
    [{ NATS_REPLICAS: '2' }, 'NATS_REPLICAS: use 1, 3 or 5'],
    [{ INGEST_WORK: 'false' }, 'INGEST_WORK: false only accepts frames into a stream, so it needs NATS_URL'],
  ])('are refused by name where they can not work: %j', (env, message) => {
    expect(faultsOf(env)).toContain(message)
  })

  it.each(['no-reply@example.org', 'ESS console <no-reply@localhost>'])('take %s for the sender of mails', (sender) => {
    expect(readConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender)
  })

  it('say what each of them means, each by a name of its own', () => {
    const names = Object.values(variables).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { about } of Object.values(variables)) expect(about.length).toBeGreaterThan(10)
  })
})
