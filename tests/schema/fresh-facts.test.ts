import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import type { Action } from '#schema/resource.ts'

it('asks for a fresh confirmation for roles, device keys, the status of firmware, rollouts, lost second factors and webhooks', () => {
  const named = resources.flatMap(({ name, fields, actions = {} }) => [
    ...Object.entries(fields).flatMap(([field, facts]) => ('fresh' in facts ? [`${name}.${field}`] : [])),
    ...Object.entries<Action>(actions).flatMap(([action, { fresh }]) => (fresh ? [`${name} ${action}`] : [])),
  ])
  expect(named.toSorted()).toEqual([
    'control-pcb device-key',
    'control-pcb next-key',
    'ess invite-service-engineer',
    'firmware set-status',
    'rollout resume',
    'rollout start',
    'user reset-factor',
    'user.role',
    'webhook new-secret',
    'webhook.url',
  ])
})
