import { expect, it, vi } from 'vitest'
import { loadAllWords } from '#pages/filling/import/all-words.ts'
import { guessColumns } from '#schema/import-columns.ts'
import { labelsOf } from '#schema/label-table.ts'

it('makes the heads of a file known that was exported in another language than the page’s', async () => {
  const labels = labelsOf('print', 1)
  const label = labels[0] ?? ['', '']
  const column = { path: 'code', field: { type: 'text', label }, label, required: false } as const
  const files: Record<string, unknown> = { '/locales/ru.json': { definitions: { print: 'print', words: ['Код'] } } }
  vi.stubGlobal('fetch', async (url: string) =>
    url in files ? Response.json(files[url]) : new Response('none', { status: 404 }),
  )
  expect(guessColumns([column], ['Код'])).toEqual([undefined])
  await loadAllWords()
  expect(guessColumns([column], ['Код'])).toEqual(['code'])
})
