import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Problem } from '#server/base/problems.ts'
import { OpenBodies } from '#server/fleet/device/open-bodies.ts'

/** The answer of a call; `close` ends it. */
const answer = () => new EventEmitter() as EventEmitter & Parameters<OpenBodies['begin']>[1]

describe('the bodies of a board', () => {
  it('are sixteen at once: a further one is refused until one has ended, and other boards do not wait', () => {
    const bodies = new OpenBodies()
    const open = Array.from({ length: 16 }, answer)
    for (const each of open) bodies.begin('board', each)
    const refused = () => bodies.begin('board', answer())
    expect(refused).toThrow(Problem)
    expect(() => bodies.begin('other', answer())).not.toThrow()
    open[0]?.emit('close')
    expect(refused).not.toThrow()
    expect(refused).toThrow(Problem)
  })
})
