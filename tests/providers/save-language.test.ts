import { setTimeout as wait } from 'node:timers/promises'
import axios from 'axios'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveLanguage } from '#providers/save-language.ts'
import { listen, sendJson } from './http-server.ts'

const stored = { version: 1, language: 'en' }
const puts: string[] = []
let server: Awaited<ReturnType<typeof listen>>

async function keep(body: AsyncIterable<unknown>): Promise<void> {
  let text = ''
  for await (const part of body) text += String(part)
  // A slow line: the first choice is on its way while the next one is made.
  await wait(100)
  Object.assign(stored, JSON.parse(text), { version: stored.version + 1 })
  puts.push(stored.language)
}

beforeAll(async () => {
  server = await listen((request, answer) => {
    if (request.method === 'PUT') void keep(request).then(() => sendJson(answer, 200, stored))
    else sendJson(answer, 200, { ...stored })
  })
})

afterAll(() => server.close())

it('keeps the last of several choices made in a row, whatever the line does', async () => {
  const http = axios.create({ baseURL: server.url })
  const late = async () => http
  const saves = [saveLanguage(late, 'me', 'ru')]
  await wait(30)
  saves.push(saveLanguage(late, 'me', 'en'))
  await Promise.all(saves)
  expect(stored.language).toBe('en')
  expect(puts).toEqual(['ru', 'en'])
})
