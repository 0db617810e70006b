import type { Label } from '#schema/words.ts'

/** What whoever has made a key has to know of it. */
export const deviceKeyHelp = [
  'It is shown only this once: copy it. The board sends it in the header X-Device-Key of POST /api/ingest, with every call.',
  'Ключ виден только сейчас, скопируйте его. Плата передаёт его в заголовке X-Device-Key каждого запроса POST /api/ingest.',
] as const satisfies Label
