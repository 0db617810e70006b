import { homeFacts } from '#tests/support/home-facts.ts'
import type { ApiUser, Row } from './api-user.ts'

let made = 0
/** Another number each time: every test works on records of its own. */
const next = () => {
  made += 1
  return made
}

export const essCode = () => `TEST-${String(next()).padStart(5, '0')}`

/** An ESS that nobody else touches. */
export const newEss = (user: ApiUser, facts: Record<string, unknown> = {}): Promise<Row> =>
  user.send('POST', 'ess', {
    code: essCode(),
    name: 'House of a test',
    ...homeFacts,
    ...facts,
  })

/** A user who has not signed in yet. */
export const newUser = (user: ApiUser, role = 'installer'): Promise<Row> =>
  user.send('POST', 'user', { email: `person${next()}@test.example`, role, firstName: 'Petra', lastName: 'Person' })

/** A board on the shelf. */
export const newBoard = (user: ApiUser): Promise<Row> => {
  const uid = `E2E0${next().toString(16).padStart(8, '0')}`.toUpperCase()
  return user.send('POST', 'control-pcb', { code: `PCB-${uid.slice(4)}`, uid, hardwareRevision: 'A1' })
}
