import { describe, expect, it } from 'vitest'
import { createAccessControlProvider } from '#providers/access-control.ts'
import { PermissionStore } from '#providers/permission-store.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { type Permissions, permissionsIn } from '#schema/permissions.ts'
import { defineResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { SessionUser } from '#schema/wire/wire.ts'

const label = { one: ['Thing', 'Вещь'], many: ['Things', 'Вещи'] } as const
const site = defineResource({
  name: 'site',
  label,
  fields: {},
  actions: { close: { label: ['Close', 'Закрыть'], roles: ['admin'] } },
  access: { list: ['admin', 'moderator'], edit: ['admin'] },
})
const guest = defineResource({ name: 'guest', label, fields: {}, access: { list: ['admin', 'moderator', 'client'] } })
const definitions = definitionsOf([site, guest])

const userOf = (role: Role, id = 'u1'): SessionUser => ({
  id,
  email: `${id}@example.com`,
  role,
  firstName: '',
  lastName: '',
  language: null,
  timezone: null,
})

const controlOf = (permissions: Permissions | undefined) => {
  const provider = createAccessControlProvider({ permissions: () => permissions, definitions })
  return async (resource: string | undefined, action: string, params?: Record<string, unknown>) =>
    (await provider.can({ action, ...(resource ? { resource } : {}), ...(params ? { params } : {}) })).can
}

describe('access control', () => {
  it('allows nothing before the snapshot has come', async () => {
    const can = controlOf(undefined)
    expect(await can('site', 'list')).toBe(false)
    expect(await can(undefined, 'list')).toBe(false)
  })

  it('answers verbs and actions from the snapshot', async () => {
    const admin = controlOf(permissionsFor(definitions, 'admin'))
    const moderator = controlOf(permissionsFor(definitions, 'moderator'))
    expect(await admin('site', 'close')).toBe(true)
    expect(await moderator('site', 'list')).toBe(true)
    expect(await moderator('site', 'edit')).toBe(false)
    expect(await moderator('site', 'close')).toBe(false)
  })

  it('allows nothing on a resource that no definition names', async () => {
    expect(await controlOf(permissionsFor(definitions, 'admin'))('secret', 'list')).toBe(false)
  })

  it('blocks record, form and deletion where the list is blocked', async () => {
    const all = permissionsFor(definitions, 'admin')
    const can = controlOf({ ...all, site: { ...permissionsIn(all, 'site'), show: true, edit: true, list: false } })
    for (const action of ['show', 'edit', 'create', 'delete']) expect(await can('site', action)).toBe(false)
  })

  it('blocks a child when its parent is blocked', async () => {
    const client = controlOf(permissionsFor(definitions, 'client'))
    expect(await client('guest', 'list')).toBe(true)
    expect(await client('guest', 'list', { parent: 'site' })).toBe(false)
    expect(await client('guest', 'list', { resource: { name: 'guest', meta: { parent: 'site' } } })).toBe(false)
    expect(await controlOf(permissionsFor(definitions, 'moderator'))('guest', 'list', { parent: 'site' })).toBe(true)
  })
})

describe('the permission snapshot', () => {
  const counting = () => {
    const asked: string[] = []
    const store = new PermissionStore(async ({ role }) => {
      asked.push(role)
      return permissionsFor(definitions, role)
    })
    return { store, asked }
  }

  it('is asked for once per identity', async () => {
    const { store, asked } = counting()
    await Promise.all([store.ensure(userOf('admin')), store.ensure(userOf('admin'))])
    await store.ensure(userOf('admin'))
    expect(asked).toEqual(['admin'])
  })

  it('does not outlive a change of the role or of the user', async () => {
    const { store, asked } = counting()
    await store.ensure(userOf('admin'))
    expect(store.of(userOf('client'))).toBeUndefined()
    expect(store.of(userOf('admin', 'u2'))).toBeUndefined()
    await store.ensure(userOf('client'))
    expect(store.of(userOf('client'))?.site?.list).toBe(false)
    expect(asked).toEqual(['admin', 'client'])
  })

  it('is gone after logout', async () => {
    const { store } = counting()
    await store.ensure(userOf('admin'))
    store.clear()
    expect(store.of(userOf('admin'))).toBeUndefined()
  })

  it('asks again after a failure', async () => {
    let fails = true
    const store = new PermissionStore(async ({ role }) => {
      if (fails) throw new Error('offline')
      return permissionsFor(definitions, role)
    })
    await expect(store.ensure(userOf('admin'))).rejects.toThrow('offline')
    fails = false
    expect((await store.ensure(userOf('admin'))).site?.list).toBe(true)
  })
})
