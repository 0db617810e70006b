import { afterEach, expect, it } from 'vitest'
import { knownDevice } from '#providers/push/known-device.ts'
import { registerDevice } from '#providers/push/register-device.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { fakeBrowser, memoryStorage, tokenObject } from '#tests/providers/browser.ts'
import { clientOf, listen, sendJson } from '#tests/providers/http-server.ts'

let close: (() => void) | undefined
afterEach(() => close?.())

it('tells the server of this browser once a day for each person and push id', async () => {
  const sent: unknown[] = []
  const server = await listen((request, answer) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      sent.push(JSON.parse(body))
      sendJson(answer, 201, { id: `device-${sent.length}` })
    })
  })
  close = server.close
  const tab = fakeBrowser().openTab()
  tab.session.login(tokenObject('token', 600))
  const { http } = clientOf(server.url, tab.session)
  const storage = memoryStorage()
  const day = 86_400_000
  const register = (userId: string, pushId: string, now = 0) => registerDevice({ http, storage, userId, pushId, now })

  await register('ada', 'push-1')
  await register('ada', 'push-1', day - 1)
  expect(sent).toEqual([{ isDebug: true, platform: 'web', pushId: 'push-1' }])
  expect(storage.getItem(storageKeys.pushId)).toBe('push-1')
  expect(knownDevice(storage)).toEqual({ id: 'device-1', userId: 'ada', pushId: 'push-1', at: 0 })

  // The server gives up what it has not seen for long; a visit brings it back.
  await register('ada', 'push-1', day)
  expect(sent).toHaveLength(2)
  await register('ada', 'push-1', 2 * day - 1)
  expect(sent).toHaveLength(2)

  await register('bob', 'push-1')
  await register('bob', 'push-2')
  expect(sent).toHaveLength(4)
  storage.setItem(storageKeys.device, 'no JSON')
  expect(knownDevice(storage)).toBeUndefined()
  tab.close()
})
