import { resources } from '#resources/index.ts'
import { definitionsOf, pathOf, routeOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { historyTab } from '#views/history/history-tab.ts'
import type { ApiUser } from './api-user.ts'

/** Where letters lead: with a token to a form, without one to a page that says what is missing. */
const letterAddresses = [
  '/restore-password',
  '/invitation/complete',
  '/register/complete',
  '/change-email/complete',
  '/restore-self',
]

/** Pages that nobody needs to sign in for. */
export const publicAddresses = [
  '/login',
  ...letterAddresses,
  '/support',
  '/about',
  ...letterAddresses.map((address) => `${address}#token=${'x'.repeat(43)}`),
]

const ownAddresses: Readonly<Record<string, readonly Role[]>> = {
  '/': ['admin', 'moderator', 'service_engineer', 'installer', 'client'],
  '/profile': ['admin', 'moderator', 'service_engineer', 'installer', 'client'],
  '/filling': ['admin'],
  '/filling/reference': ['admin'],
  '/filling/demo': ['admin'],
  '/filling/jobs': ['admin'],
  '/filling/outbox': ['admin'],
}

type Verbs = { list: boolean; show: boolean; create: boolean; edit: boolean }

async function addressesOf(resource: AnyResource, may: Verbs, user: ApiUser): Promise<string[]> {
  const route = `/${routeOf(resource)}`
  const path = pathOf(resource, 'list')
  if (!may.list || !path) return []
  const [row] = await user.get<{ id: string }[]>(`${path}?_end=1`)
  const tabs = [...Object.keys(resource.tabs ?? {}).filter((tab) => tab !== 'index'), historyTab]
  const ofRow = row && may.show ? ['', ...tabs.map((tab) => `/${tab}`), ...(may.edit ? ['/edit'] : [])] : []
  return [route, ...(may.create ? [`${route}/create`] : []), ...ofRow.map((end) => `${route}/${row?.id}${end}`)]
}

/** A packet inside the tab of its board. */
async function packetAddress(board: string, user: ApiUser): Promise<string[]> {
  const [packet] = await user.get<{ id: string }[]>(`package?controlPcbId=${board}&_end=1`)
  return packet ? [`/control-pcb/${board}/package/${packet.id}`] : []
}

/** Every address that a role can open, with the first record of each section, and a packet of a board that has sent some. */
export async function addressesFor(role: Role, user: ApiUser, board: string): Promise<string[]> {
  const definitions = definitionsOf(resources)
  const permissions = permissionsFor(definitions, role)
  const own = Object.entries(ownAddresses).flatMap(([address, roles]) => (roles.includes(role) ? [address] : []))
  const all: string[] = [...own, '/nowhere']
  for (const resource of definitions.values()) {
    const may = permissions[resource.name]
    if (may) all.push(...(await addressesOf(resource, may, user)))
  }
  return [...all, ...(permissions.package?.show ? await packetAddress(board, user) : [])]
}
