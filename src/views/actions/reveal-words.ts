import type { Label } from '#schema/words.ts'

export const revealWords = {
  tryIt: ['Try it', 'Проверка'],
  stored: ['I have stored it', 'Сохранено, закрыть'],
  storeFirst: [
    'It is shown only this once. Store it, then press “I have stored it”.',
    'Показывается только один раз. Сохраните и нажмите «Сохранено, закрыть».',
  ],
} as const satisfies Record<string, Label>
