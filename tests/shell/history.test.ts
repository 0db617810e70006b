import { describe, expect, it } from 'vitest'
import { ConsoleHistory, type LeaveGuard } from '#shell/history.ts'
import { fakeWindow } from './fake-window.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

function open(start?: string) {
  const page = fakeWindow(start)
  const history = new ConsoleHistory(page.host)
  const heard: string[] = []
  history.subscribe(() => heard.push(`${history.getStep()} ${history.getEntry().pathname}${history.getEntry().search}`))
  return { ...page, history, heard, here: () => history.getEntry().pathname }
}

/** A guard that holds everything and remembers how to go on. */
function holding() {
  const asked: { path: string; leave: () => void }[] = []
  const guard: LeaveGuard = (path, leave) => {
    asked.push({ path, leave })
    return true
  }
  return { guard, asked, paths: () => asked.map(({ path }) => path) }
}

describe('the history of the console', () => {
  it('tells of links, replaced entries, Back and Forward', async () => {
    const { history, heard } = open()
    history.push('/ess?page=2')
    history.replace('/ess?page=3')
    history.push({ pathname: '/user' })
    history.go(-1)
    await settled()
    history.go(1)
    await settled()
    expect(heard).toEqual(['PUSH /ess?page=2', 'REPLACE /ess?page=3', 'PUSH /user', 'POP /ess?page=3', 'POP /user'])
  })

  it('resolves a query alone against the page', () => {
    const { history } = open('/ess/7')
    history.push({ search: '?q=a' })
    expect(history.getEntry()).toMatchObject({ pathname: '/ess/7', search: '?q=a' })
  })

  it('knows its place again after a reload', async () => {
    const page = fakeWindow()
    const before = new ConsoleHistory(page.host)
    before.push('/a')
    before.push('/b')
    before.dispose()
    const after = new ConsoleHistory(page.host)
    const { guard, asked } = holding()
    after.guard(guard)
    after.go(-1)
    await settled()
    expect([asked.length, page.index()]).toEqual([1, 2])
  })
})

describe('a guarded page', () => {
  it('is left by a link only after it was agreed to', () => {
    const { history, here } = open('/form')
    const { guard, asked, paths } = holding()
    history.guard(guard)
    history.push('/user')
    expect([here(), paths()]).toEqual(['/form', ['/user']])
    asked[0]?.leave()
    expect(here()).toBe('/user')
  })

  it('is left by Back only after it was agreed to, and Forward still leads where it led', async () => {
    const { history, here, paths, index } = open()
    history.push('/form')
    history.push('/user')
    history.go(-1)
    await settled()
    const { guard, asked } = holding()
    const free = history.guard(guard)
    history.go(-1)
    await settled()
    expect([here(), index()]).toEqual(['/form', 1])
    asked[0]?.leave()
    await settled()
    expect([here(), index(), asked.length]).toEqual(['/', 0, 1])
    expect(paths()).toEqual(['/', '/form', '/user'])
    free()
  })

  it('may change its own query and fragment', () => {
    const { history } = open('/form')
    const { guard, asked } = holding()
    history.guard(guard)
    history.push('/form?tab=2')
    history.replace('/form#top')
    expect(asked).toEqual([])
  })

  it('is free once the guard is gone', () => {
    const { history, here } = open('/form')
    history.guard(holding().guard)()
    history.push('/user')
    expect(here()).toBe('/user')
  })
})
