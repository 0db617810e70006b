import { describe, expect, it } from 'vitest'
import { readMessage } from '#providers/live/live-message.ts'
import { SseParser } from '#providers/live/sse-parser.ts'

const whole = ': connected\n\nid: 1-1-1\ndata: {"a":1}\n\nevent: reset\nid: 2-2-2\ndata: {\ndata: }\n\n: ping\n\n'
const messages = [
  { id: '1-1-1', event: '', data: '{"a":1}' },
  { id: '2-2-2', event: 'reset', data: '{\n}' },
]

describe('an event stream', () => {
  it.each(['\n', '\r\n', '\r'])('is read with lines that end in %j', (end) => {
    expect(new SseParser().push(`${whole.replaceAll('\n', end)}${end}x`)).toEqual(messages)
  })

  it('is read the same wherever it is cut', () => {
    const text = whole.replaceAll('\n', '\r\n')
    for (let size = 1; size <= 7; size += 1) {
      const parser = new SseParser()
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(messages)
    }
  })

  it('gives no message without data, and keeps the id for the next one', () => {
    const parser = new SseParser()
    expect(parser.push('id: 7\n\ndata\n\ndata:  two\n\n')).toEqual([
      { id: '7', event: '', data: '' },
      { id: '7', event: '', data: ' two' },
    ])
  })
})

describe('a message', () => {
  const change = { resource: 'ess', id: '1', version: 2, type: 'updated', at: '2026-05-01T00:00:00.000Z' }
  const read = (data: unknown, event = '') => readMessage({ id: '1', event, data: JSON.stringify(data) })

  it('is a change, a note, or a signal', () => {
    expect(read(change)).toEqual([{ kind: 'change', change }])
    expect(read({ type: 'reset' }, 'reset')).toEqual([{ kind: 'reset' }])
    const note = { id: 'n', title: ['Hi', 'Привет'], body: ['', ''], tone: 'warn', link: '/ess' }
    expect(read({ ...note, resource: 'notification', type: 'notification', version: 1, deviceId: 'd' })).toEqual([
      { kind: 'note', note: { ...note, deviceId: 'd' } },
    ])
  })

  it('is a note with a text of every language that the server knows', () => {
    const note = { id: 'n', title: ['Hi', 'Привет', 'Hallo'], body: ['', '', ''], tone: 'warn', link: null }
    expect(read({ ...note, resource: 'notification', type: 'notification', version: 1 })).toEqual([{ kind: 'note', note }])
  })

  it('that is none of these is left out', () => {
    expect(readMessage({ id: '', event: '', data: '<html>' })).toEqual([])
    expect(read({ ...change, version: '2' })).toEqual([])
    expect(read({ ...change, type: 'exploded' })).toEqual([])
    expect(read({ id: 'n', type: 'notification', title: 'Hi', body: 'x' })).toEqual([])
  })
})
