import { dayMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { Random } from './random.ts'
import { among, countries, placeOf, places } from './words.ts'

type Account = { email: string; firstName: string; lastName: string }

/** Account of each role for trying the console. */
const accounts: Readonly<Record<Role, Account>> = {
  admin: { email: 'admin@example.com', firstName: 'Ada', lastName: 'Admin' },
  moderator: { email: 'moderator@example.com', firstName: 'Milan', lastName: 'Moderator' },
  service_engineer: { email: 'engineer@example.com', firstName: 'Erik', lastName: 'Engineer' },
  installer: { email: 'installer@example.com', firstName: 'Ines', lastName: 'Installer' },
  client: { email: 'client@example.com', firstName: 'Carl', lastName: 'Client' },
}
export const demoAccounts: readonly (Account & { role: Role })[] = roles.map((role) => ({ role, ...accounts[role] }))

export type DemoPeople = { users: Row[]; clients: Row[]; engineers: Row[]; installers: Row[] }

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs)

function person(random: Random, now: Date, facts: { email: string; role: Role } & Row): Row {
  const createdAt = daysBefore(now, random.int(60, 1200))
  const language = /[А-Яа-яЁё]/.test(String(facts.firstName)) ? 'ru' : random.chance(0.3) ? 'en' : null
  return {
    id: random.id(createdAt),
    createdAt,
    updatedAt: createdAt,
    language,
    failedLoginCount: 0,
    lastLoginAt: random.chance(0.8) ? daysBefore(now, random.int(0, 60)) : null,
    ...facts,
  }
}

function clientFacts(random: Random, index: number): Row {
  const isCompany = random.chance(0.22)
  const named = isCompany ? random.next() : 0
  const place = random.pick(places)
  const country = countries[place.country]
  return {
    clientType: isCompany ? 'COMPANY' : 'PERSON',
    companyName: isCompany ? among<string>(country.companies, named) : null,
    taxId: isCompany ? String(random.int(1_000_000_000, 9_999_999_999)) : null,
    contractNo: `C-${2021 + (index % 5)}-${String(index + 1).padStart(4, '0')}`,
    phone: `${country.phone}${random.int(1_000_000, 9_999_999)}`,
    address: {
      country: place.country,
      region: place.region,
      city: place.city,
      street: `${random.pick<string>(country.streets)} ${random.int(1, 120)}`,
      postalCode: String(random.int(10_000, 99_999)),
    },
  }
}

const addressOf = (kind: string, index: number) => `${kind}${String(index + 1).padStart(3, '0')}@example.com`

/** The named accounts, 149 more clients, 11 more engineers and 3 more installers. */
export function demoPeople(random: Random, now: Date, counts = { clients: 150, engineers: 12, installers: 4 }): DemoPeople {
  // No language: it follows the browser.
  const named = demoAccounts.map((account, index) =>
    person(random, now, { ...account, language: null, ...(account.role === 'client' ? clientFacts(random, index) : {}) }),
  )
  const more = (kind: string, role: Role, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const [first, last] = [random.next(), random.next()]
      const facts = role === 'client' ? clientFacts(random, index + 1) : {}
      const city = isObject(facts.address) ? Reflect.get(facts.address, 'city') : undefined
      const { firstNames, lastNames } = countries[(placeOf(city) ?? among(places, first))?.country ?? 'DE']
      const names = { firstName: among<string>(firstNames, first), lastName: among<string>(lastNames, last) }
      return person(random, now, { email: addressOf(kind, index), role, ...names, ...facts })
    })
  const users = [
    ...named,
    ...more('client', 'client', counts.clients - 1),
    ...more('engineer', 'service_engineer', counts.engineers - 1),
    ...more('installer', 'installer', counts.installers - 1),
  ]
  const having = (role: Role) => users.filter((user) => user.role === role)
  // A few are locked or deleted, so that every account state is visible.
  for (const [index, user] of having('client').entries()) {
    if (index % 37 === 36) Object.assign(user, { lockedAt: daysBefore(now, 9), lockedReason: 'Payment overdue' })
    if (index % 71 === 70) Object.assign(user, { deletedAt: daysBefore(now, 12), purgeAt: daysBefore(now, -18) })
  }
  return {
    users,
    clients: having('client').filter((user) => !user.lockedAt && !user.deletedAt),
    engineers: having('service_engineer'),
    installers: having('installer'),
  }
}
