import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LiveMessage } from '#providers/live/live-message.ts'
import { TabTalk } from '#providers/live/tab-talk.ts'

const tabs: TabTalk[] = []
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close()
})

let count = 0
/** A browser of its own; opens tabs of it. */
function openBrowser() {
  count += 1
  const name = `tabs-${count}`
  return (userId = 'ada', now?: () => number) => {
    const heard: LiveMessage[] = []
    const talk = new TabTalk({ name, userId, onMessages: (messages) => heard.push(...messages), ...(now ? { now } : {}) })
    tabs.push(talk)
    return { talk, heard }
  }
}

const change = (id: string): LiveMessage => ({
  kind: 'change',
  change: { resource: 'ess', id, version: 2, type: 'updated', at: '' },
})
const note: LiveMessage = { kind: 'note', note: { id: 'n', title: ['a', 'б'], body: ['', ''], tone: 'info', link: null } }
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('the tabs of a browser', () => {
  it('hear what one of them reads, in the session of the same person', async () => {
    const open = openBrowser()
    const [reader, follower, stranger] = [open(), open(), open('bob')]
    await settle()
    reader.talk.isReader = true
    reader.talk.tell([change('1'), note])
    await vi.waitFor(() => expect(follower.heard).toEqual([change('1'), note]))
    expect(reader.heard).toEqual([change('1'), note])
    expect(stranger.heard).toEqual([])
  })

  it('are told, when they come, what happened while they were loading; nobody else hears it again', async () => {
    const open = openBrowser()
    const [reader, follower] = [open(), open()]
    await settle()
    reader.talk.isReader = true
    reader.talk.tell([change('1'), note])
    await vi.waitFor(() => expect(follower.heard).toHaveLength(2))
    const late = open()
    await vi.waitFor(() => expect(late.heard).toEqual([change('1')]))
    expect(follower.heard).toHaveLength(2)
  })

  it('are told by the next reader what the last one has read', async () => {
    const open = openBrowser()
    const [first, second] = [open(), open()]
    first.talk.tell([change('1')])
    await vi.waitFor(() => expect(second.heard).toHaveLength(1))
    first.talk.close()
    second.talk.isReader = true
    const late = open()
    await vi.waitFor(() => expect(late.heard).toEqual([change('1')]))
  })

  it('forget after a minute, and read everything again where more happened than is kept', async () => {
    const open = openBrowser()
    let now = 0
    const { talk } = open('ada', () => now)
    talk.isReader = true
    talk.tell(Array.from({ length: 600 }, (_, index) => change(String(index))))
    const flooded = open()
    await vi.waitFor(() => expect(flooded.heard).toEqual([{ kind: 'reset' }]))
    now = 61_000
    talk.tell([change('new')])
    const late = open()
    await vi.waitFor(() => expect(late.heard).toEqual([change('new')]))
  })
})
