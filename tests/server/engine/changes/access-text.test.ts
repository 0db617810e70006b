import { describe, expect, it } from 'vitest'
import type { AccessChange } from '#server/engine/changes/access/access-changes.ts'
import { accessLines } from '#server/engine/changes/access/access-text.ts'

const change = (role: string, right: string, is: AccessChange['is'] = 'more', resource = 'visit'): AccessChange => ({
  role,
  resource,
  right,
  is,
})

describe('changes of rights in words', () => {
  it('stand in one line for all roles that they are the same for', () => {
    const both = ['admin', 'moderator'].flatMap((role) => [
      change(role, 'list'),
      change(role, 'read code'),
      change(role, 'show'),
      change(role, 'read kind'),
      change(role, 'write kind'),
      change(role, 'action close'),
    ])
    expect(accessLines([...both, change('client', 'list')])).toEqual([
      '  + admin, moderator: visit: list, show; read code, kind; write kind; action close',
      '  + client: visit: list',
    ])
  })

  it('are apart by what they are, and by resource', () => {
    const rows = { ...change('client', 'rows in sight', 'other'), rows: { more: 1, less: 2 } }
    expect(
      accessLines([change('admin', 'list'), change('admin', 'edit', 'less'), change('admin', 'list', 'more', 'job'), rows]),
    ).toEqual([
      '  + admin: visit: list',
      '  - admin: visit: edit',
      '  + admin: job: list',
      '  ~ client: visit: rows in sight (1 row comes, 2 rows go)',
    ])
  })
})
