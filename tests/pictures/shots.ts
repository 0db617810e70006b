export type Shot = {
  name: string
  path: string
  /** Call of the API whose first record stands for `{id}`. */
  record?: string
  /** Width and look of those that the README shows. */
  shown?: readonly string[]
}

const board = 'control-pcb?role=MAIN&connection.state=ONLINE&_sort=essId&_end=1'

/** The pages that show what the console is. */
export const shots: readonly Shot[] = [
  { name: 'dashboard', path: '/', shown: ['laptop light', 'phone light'] },
  { name: 'inbox', path: '/inbox', shown: ['laptop light', 'phone dark'] },
  { name: 'systems', path: '/ess', shown: ['wide light', 'phone light'] },
  { name: 'board', path: '/control-pcb/{id}', record: board, shown: ['laptop dark', 'phone dark'] },
  { name: 'rollout', path: '/rollout/{id}', record: 'rollout?status=FINISHED&_end=1', shown: ['laptop light'] },
  { name: 'telemetry', path: '/control-pcb/{id}/telemetry', record: board, shown: ['laptop dark'] },
  { name: 'year', path: '/control-pcb/{id}/telemetry?range=12mo', record: board },
]
