import { counted } from '#server/engine/changes/tally.ts'
import type { AccessChange } from './access-changes.ts'

const signs = { more: '+', less: '-', other: '~' } as const

const turnsText = ({ more, less }: { more: number; less: number }) =>
  [counted(more, 'row comes', 'rows come'), counted(less, 'row goes', 'rows go')].join(', ')

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

/** Rights of one kind in one phrase: `list, show; read number, kind; write number`. */
function rightsText(changes: readonly AccessChange[]): string {
  const parts = changes.map(({ right, rows }) => {
    const at = /^(?:read|write|action) /.test(right) ? right.lastIndexOf(' ') : -1
    const [kind, name] = [right.slice(0, Math.max(at, 0)), right.slice(at + 1)]
    return { kind, text: `${name}${rows ? ` (${turnsText(rows)})` : ''}` }
  })
  return grouped(parts, ({ kind }) => kind)
    .map((same) => [same[0]?.kind, same.map(({ text }) => text).join(', ')].filter(Boolean).join(' '))
    .join('; ')
}

/** Changes of rights, a line per resource and set of roles: `+ admin, moderator: visit: list, show; read code, kind`. */
export function accessLines(changes: readonly AccessChange[]): string[] {
  const byRole = grouped(changes, ({ resource, is, role }) => JSON.stringify([resource, is, role])).map((same) => {
    const [{ resource, is, role } = { resource: '', is: 'other' as const, role: '' }] = same
    return { resource, is, role, text: rightsText(same) }
  })
  return grouped(byRole, ({ resource, is, text }) => JSON.stringify([resource, is, text])).map((same) => {
    const [{ resource, is, text } = { resource: '', is: 'other' as const, text: '' }] = same
    return `  ${signs[is]} ${same.map(({ role }) => role).join(', ')}: ${resource}: ${text}`
  })
}
