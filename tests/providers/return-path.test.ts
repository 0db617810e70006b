import type { ParseResponse } from '@refinedev/core'
import { expect, it } from 'vitest'
import { safePath, signInPath, withSafeReturn } from '#providers/return-path.ts'

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

it('shows Refine no address but a safe one, by a stable function', () => {
  const parse = (): ParseResponse => ({ pathname: '/login', params: { to: '//evil.example', keep: 1 } })
  const { parse: guarded } = withSafeReturn({ parse: () => parse })
  expect(guarded?.()()).toEqual({ pathname: '/login', params: { to: '/', keep: 1 } })
  expect(guarded?.()).toBe(guarded?.())
})
