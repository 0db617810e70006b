import { expect, it } from 'vitest'
import { safePath, signInPath } from '#schema/wire/safe-path.ts'

it.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'ess',
  '',
  '/login',
  '/login?to=/login',
  '/login/provider?code=a&state=b',
  undefined,
  ['/ess'],
])('does not lead to %j', (to) => {
  expect(safePath(to)).toBe('/')
})

it.each(['/', '/ess', '/ess/1/guest?q=A%26B&status=x#top', '/user?to=//evil.example'])('leads to %s', (to) => {
  expect(safePath(to)).toBe(to)
})

it('asks to come back only where there is something to come back to', () => {
  expect(signInPath('/')).toBe('/login')
  expect(signInPath('/ess?q=1')).toBe('/login?to=%2Fess%3Fq%3D1')
})
