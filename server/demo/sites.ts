import { dayMs, hourMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { DemoPeople } from './people.ts'
import type { Random } from './random.ts'
import { countries, type Model, models, placeOf, places } from './words.ts'

const dateText = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Most sites are in service, some under construction, a few planned or retired. */
function lifecycleOf(index: number): string {
  const place = index % 25
  if (place === 24) return 'DECOMMISSIONED'
  if (place === 12) return 'PLANNED'
  return place === 5 || place === 18 ? 'COMMISSIONING' : 'IN_OPERATION'
}

const nameplate = (model: Model, random: Random): Row => ({
  manufacturer: model.manufacturer,
  model: model.model,
  serialNumber: `${model.manufacturer.slice(0, 2).toUpperCase()}${random.int(10_000_000, 99_999_999)}`,
  profile: model.profile,
  chemistry: model.chemistry,
  ratedEnergyWh: model.energyWh,
  ratedChargePowerW: model.powerW,
  ratedDischargePowerW: model.powerW,
  ratedCapacityAh: model.ah,
  cellsInSeries: model.cells,
  strings: model.strings,
  modules: model.modules,
  pvPeakPowerW: random.chance(0.85) ? model.pvW : null,
  gridPhases: model.phases,
  gridConnectionLimitW: model.gridW,
})

type Making = { random: Random; now: Date; people: DemoPeople; index: number }

function demoSite({ random, now, people, index }: Making): Row {
  const lifecycle = lifecycleOf(index)
  const isDone = lifecycle === 'IN_OPERATION' || lifecycle === 'DECOMMISSIONED'
  const model = random.pick(models.filter(({ profile }) => (profile === 'COMMERCIAL') === (index % 3 === 2)))
  const owner = people.clients[index < 2 ? 0 : index % people.clients.length]
  const installer = isDone ? random.pick(people.installers) : people.installers[index % 2]
  const drawn = random.pick(places)
  const place = (isObject(owner?.address) && placeOf(Reflect.get(owner.address, 'city'))) || drawn
  const { house, streets } = countries[place.country]
  const installedAt = now.getTime() - random.int(40, 1500) * dayMs
  const createdAt = new Date(installedAt - random.int(5, 60) * dayMs)
  const standing =
    lifecycle === 'PLANNED' ? {} : { installedAt: dateText(installedAt), warrantyUntil: dateText(installedAt + 3650 * dayMs) }
  return {
    id: random.id(createdAt),
    createdAt,
    updatedAt: createdAt,
    code: `ESS-${String(index + 1).padStart(6, '0')}`,
    name: `${owner?.companyName ?? house} ${place.city} ${index + 1}`,
    ...nameplate(model, random),
    ownerId: lifecycle === 'IN_OPERATION' || random.chance(0.6) ? owner?.id : null,
    installerId: installer?.id,
    ...standing,
    lifecycle,
    location: {
      address: `${random.pick<string>(streets)} ${random.int(1, 90)}, ${place.city}`,
      region: place.region,
      lat: round(place.lat + random.next() / 5),
      lon: round(place.lon + random.next() / 5),
      timezone: place.timezone,
    },
    maintenance: index % 41 === 7 ? inspection(now, people) : null,
  }
}

const inspection = (now: Date, people: DemoPeople) => ({
  until: new Date(now.getTime() + 5 * hourMs).toISOString(),
  reason: 'Yearly inspection',
  byId: people.engineers[0]?.id,
})

/** `count` systems, two thirds of them residential; the first two belong to the account client@example.com. */
export const demoSites = (random: Random, now: Date, people: DemoPeople, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => demoSite({ random, now, people, index }))

const round = (degrees: number) => Math.round(degrees * 100_000) / 100_000

/** Assignment of engineers and guests to systems. */
export function demoRelations(
  random: Random,
  now: Date,
  people: DemoPeople,
  sites: readonly Row[],
): { guests: Row[]; engineers: Row[] } {
  const admin = people.users[0]?.id
  const base = (createdAt: Date) => ({
    id: random.id(createdAt),
    createdAt,
    updatedAt: createdAt,
    createdBy: admin,
    updatedBy: admin,
    state: 'ACTIVE',
  })
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  const built = sites.filter(({ lifecycle }) => lifecycle !== 'PLANNED')
  const engineers = built.map((site, index) => ({
    ...base(before(random.int(2, 300))),
    essId: site.id,
    userId: people.engineers[index % people.engineers.length]?.id,
    scope: index % 9 === 8 ? 'READ' : 'FULL',
    assignedBy: admin,
  }))
  const shared = built.filter((site, index) => site.ownerId && index % 3 === 1)
  const guests = shared.flatMap((site, index) => {
    // The client account is a guest at one foreign system.
    const guest = index === 2 ? people.clients[0] : random.pick(people.clients)
    return guest && guest.id !== site.ownerId
      ? [{ ...base(before(random.int(1, 200))), essId: site.id, userId: guest.id, access: 'VIEW', invitedBy: admin }]
      : []
  })
  return { guests, engineers }
}

export const demoModels = (random: Random, now: Date): Row[] =>
  models.map((model) => {
    const { serialNumber: _, pvPeakPowerW: __, gridConnectionLimitW: ___, ...plate } = nameplate(model, random)
    return { id: random.id(now), createdAt: now, updatedAt: now, ...plate }
  })
