import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { LiveStream } from '#server/account/live/live-stream.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Note } from '#server/notify/note.ts'

type Told = Parameters<LiveStream['tell']>[0]

const note: Note = { id: 'note', title: ['Note', 'Заметка'], body: ['You', 'Вы'], link: '/profile' }

const told = (id: number, given: Told['note'] = null): Told => ({
  position: { xid: 1n, id: BigInt(id) },
  atMs: 0,
  event: { resource: 'ess', id: String(id), version: 1, type: 'updated', at: '2026-01-01T00:00:00.000Z' },
  userId: null,
  note: given,
  bytes: Buffer.from(given ? `note ${id}` : `event ${id}`),
})

describe('a live stream', () => {
  it('writes a notice also when the merged message before it has filled the buffer', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const written: string[] = []
    vi.spyOn(response, 'write').mockImplementation((bytes) => {
      written.push(String(bytes))
      return false
    })
    const stream = new LiveStream(response, { caller: {} as Caller, tokenHash: '', mostPerS: 1 })
    expect(stream.tell(told(1))).toBe(false)
    expect(stream.tell(told(2))).toBe(true)
    expect(stream.tell(told(3, note))).toBe(false)
    expect(written).toEqual(['event 1', expect.stringContaining('event: merged'), 'note 3'])
  })
})
