import type { Tone } from '#ui/theme/tokens.ts'

export type Sample = {
  id: string
  code: string
  owner: string
  state: string
  tone: Tone
  socPct: number
  powerW: number
  energyWh: number
  seenAt: string
  firmware: string
}

const states: [string, Tone][] = [
  ['Online', 'good'],
  ['Online', 'good'],
  ['Updating', 'info'],
  ['Warning', 'warn'],
  ['Fault', 'bad'],
  ['Offline', 'idle'],
]
const owners = ['Nordlicht Energie GmbH', 'ООО «Солнечный край»', 'Harbor Cold Storage', 'Alpine Lodges', 'Fermes du Lac']

const sampleOf = (_: unknown, index: number): Sample => {
  const [state, tone] = states[(index * 5) % states.length] ?? ['Online', 'good']
  return {
    id: String(index + 1),
    code: `ESS-${String(10420 + index * 7)}`,
    owner: owners[index % owners.length] ?? '',
    state,
    tone,
    socPct: (index * 37) % 101,
    powerW: ((index * 7919) % 24000) - 12000,
    energyWh: 10240 + ((index * 5120) % 40960),
    seenAt: `2026-05-${String(1 + (index % 30)).padStart(2, '0')} 14:${String((index * 7) % 60).padStart(2, '0')}`,
    firmware: `2.${index % 7}.${(index * 3) % 10}`,
  }
}

export const samples = Array.from({ length: 25 }, sampleOf)

/** As many as a page may have. */
export const manySamples = Array.from({ length: 200 }, sampleOf)
