import { AxiosError, type InternalAxiosRequestConfig } from 'axios'
import { expect, it } from 'vitest'
import { fakeBrowser, jsonAnswer, tokenObject } from './browser.ts'
import { clientOf, listen } from './http-server.ts'

/** A file as it was chosen, before something else wrote or removed it: it can be named and no longer read. */
function changedFile(): File {
  const file = new File(['a'], 'fleet.csv')
  const slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('changed', 'NotReadableError')) })
  return Object.assign(file, { slice })
}

async function clientWithoutServer() {
  const server = await listen(() => undefined)
  server.close()
  const { session } = fakeBrowser().openTab({ focused: true, refresh: async () => jsonAnswer(tokenObject('b')) })
  session.login(tokenObject('a'))
  return clientOf(server.url, session, { words: (key, values) => `${key} ${values?.name ?? ''}`.trim() }).http
}

/** As a browser ends a call whose body it cannot read. */
const brokenOff = (config: InternalAxiosRequestConfig) =>
  Promise.reject(new AxiosError('Network Error', AxiosError.ERR_NETWORK, config))

const bodyWith = (file: File) => {
  const body = new FormData()
  body.set('file', file)
  return body
}

it('a call whose file changed on disk says so instead of blaming the network', async () => {
  const http = await clientWithoutServer()
  const told = { code: 'file.changed', message: 'errors.fileChanged fleet.csv' }
  for (const body of [bodyWith(changedFile()), changedFile()])
    await expect(http.post('import', body, { adapter: brokenOff })).rejects.toMatchObject(told)
  for (const body of [bodyWith(new File(['a'], 'a.csv')), { name: 'a' }])
    await expect(http.post('import', body, { adapter: brokenOff })).rejects.toMatchObject({ code: 'network' })
})
