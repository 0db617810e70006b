import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { acceptUploads, receiveFile } from '#server/engine/files/receive-file.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

const rules = { maxBytes: 1_000, onlyFile: () => new Error('not one file'), tooLarge: () => new Error('too large') }
const begun = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\nhalf'

it('an upload whose sender goes is given up, and nothing of it is handed on', async () => {
  const outcomes: string[] = []
  const app = await buildToyApp({
    register: (api) => {
      acceptUploads(api)
      api.post('/file', { config: { access: 'public' }, bodyLimit: 1_000_000 }, async (request) => {
        await receiveFile(request, 'nameless', rules).then(
          () => outcomes.push('handed on'),
          (error: Error) => outcomes.push(error.message),
        )
        return {}
      })
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const seen = once(app.server, 'request')
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  const head = ['POST /api/file HTTP/1.1', 'host: x', 'content-type: multipart/form-data; boundary=x', 'content-length: 5000']
  socket.write(`${head.join('\r\n')}\r\n\r\n${begun}`)
  await seen
  setTimeout(() => socket.destroy(), 100)
  await expect.poll(() => outcomes, { timeout: 4_000 }).toEqual(['not one file'])
  await app.close()
})
