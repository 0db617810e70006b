import type { Page } from '@playwright/test'

export type Shot = {
  name: string
  path: string
  /** Call of the API whose first record stands for `{id}`. */
  record?: string
  /** Waits for the part that the picture is of. */
  until?: (page: Page) => Promise<void>
  /** Width and look of those that the README shows. */
  shown?: readonly string[]
}

const board = 'control-pcb?role=MAIN&connection.state=ONLINE&_sort=essId&_end=1'

const chart = (page: Page) => page.locator('main .tele canvas').first().waitFor()
const rows = (page: Page) => page.locator('main :is(tbody tr, [data-row])').first().waitFor()

/** The pages that show what the console is. */
export const shots: readonly Shot[] = [
  { name: 'dashboard', path: '/', shown: ['laptop light', 'phone light'] },
  { name: 'inbox', path: '/inbox', until: rows, shown: ['laptop light', 'phone dark'] },
  { name: 'systems', path: '/ess', until: rows, shown: ['wide light', 'phone light'] },
  { name: 'board', path: '/control-pcb/{id}', record: board, shown: ['laptop dark', 'phone dark'] },
  { name: 'rollout', path: '/rollout/{id}', record: 'rollout?status=FINISHED&_end=1', shown: ['laptop light'] },
  { name: 'telemetry', path: '/control-pcb/{id}/telemetry', record: board, until: chart, shown: ['laptop dark'] },
  { name: 'year', path: '/control-pcb/{id}/telemetry?range=12mo', record: board, until: chart },
]
