import { describe, expect, it } from 'vitest'
import { SessionStatements } from '#server/db/session-statements.ts'
import { frame, query } from '#server/db/wire-messages.ts'

const bind = (name: string) => frame('B', Buffer.from(`\0${name}\0\0\0\0\0\0\0`))
const parse = (name: string, text: string) => frame('P', Buffer.from(`${name}\0${text}\0\0\0`))
const describing = frame('D', Buffer.from('P\0'))
const execute = frame('E', Buffer.from('\0\0\0\0\0'))
const [sync, flush] = [frame('S'), frame('H')]

describe('what is sent to the one session of the embedded engine', () => {
  it.each([
    ['a prepared statement', true, [bind('prepared_a'), describing, execute, sync]],
    ['one that is prepared with it', true, [parse('prepared_a', 'select 1'), bind('prepared_a'), execute, sync]],
    ['two of them', true, [bind('prepared_a'), execute, sync, bind('prepared_b'), execute, sync]],
    ['text', false, [query('begin')]],
    ['a statement without a name', false, [parse('', 'begin'), bind(''), execute, sync]],
    ['one that was prepared without a name', false, [bind(''), execute, sync]],
    ['text beside a prepared statement', false, [query('begin'), bind('prepared_a'), execute, sync]],
    ['a part of an answer', false, [bind('prepared_a'), execute, flush]],
  ])('leaves it idle for the next client where that is sure: %s', (_, expected, messages) => {
    expect(new SessionStatements().prepare(Buffer.concat(messages)).staysIdle).toBe(expected)
  })

  it('prepares a statement where one is bound that the session may not have, and closes none', () => {
    const statements = new SessionStatements()
    const sent = (...messages: Buffer[]) => statements.prepare(Buffer.concat(messages)).batch.toString('latin1')
    const text = parse('prepared_a', 'select 1')
    const closing = frame('C', Buffer.from('Sprepared_a\0'))
    const prepared = Buffer.concat([closing, text, bind('prepared_a'), sync]).toString('latin1')
    const bound = Buffer.concat([bind('prepared_a'), sync]).toString('latin1')
    expect(sent(text, bind('prepared_a'), sync)).toBe(prepared)
    expect(sent(bind('prepared_a'), sync)).toBe(prepared)
    statements.settle(['prepared_a'], frame('Z', Buffer.from('I')))
    expect(sent(text, bind('prepared_a'), sync)).toBe(bound)
    expect(sent(text, closing, sync)).toBe(sync.toString('latin1'))
    statements.settle(['prepared_a'], frame('E', Buffer.from('C25P02\0\0')))
    expect(sent(bind('prepared_a'), sync)).toBe(prepared)
  })
})
