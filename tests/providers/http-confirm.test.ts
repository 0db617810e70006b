import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser, tokenObject } from './browser.ts'
import { clientOf, type Handler, listen, sendJson } from './http-server.ts'

let server: Awaited<ReturnType<typeof listen>>
let handle: Handler

beforeEach(async () => {
  server = await listen((request, answer) => handle(request, answer))
})
afterEach(() => server.close())

function signedIn(confirm: () => Promise<boolean>) {
  const tab = fakeBrowser().openTab({ focused: true })
  tab.session.login(tokenObject('a'))
  return clientOf(server.url, tab.session, { confirm })
}

describe('a call that is refused for want of a confirmation', () => {
  const refuseOnce = () => {
    let isConfirmed = false
    const bodies: string[] = []
    handle = (request, answer) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        bodies.push(body)
        sendJson(
          answer,
          isConfirmed ? 200 : 403,
          isConfirmed ? { ok: true } : { code: 'confirmation-needed', message: 'Confirm' },
        )
      })
    }
    const confirm = async () => {
      isConfirmed = true
      return true
    }
    return { bodies, confirm }
  }

  it('is sent again as it was once the person has confirmed, and nothing is told', async () => {
    const { bodies, confirm } = refuseOnce()
    const { http, problems } = signedIn(confirm)
    const { data } = await http.put('user/1', { role: 'admin' })
    expect(data).toEqual({ ok: true })
    expect(bodies).toEqual(['{"role":"admin"}', '{"role":"admin"}'])
    expect(problems).toEqual([])
  })

  it('fails when the person gives up', async () => {
    const { bodies } = refuseOnce()
    const { http, problems } = signedIn(async () => false)
    await expect(http.put('user/1', { role: 'admin' })).rejects.toMatchObject({ code: 'confirmation-needed' })
    expect(bodies).toHaveLength(1)
    expect(problems).toHaveLength(1)
  })
})
