import type { Label } from '#schema/words.ts'

/** A board that logs everything wears its flash out and fills the line. */
export const longestDebugMin = 60

/** Why the server asks a board for another configuration by itself; the history keeps the English words. */
export const serverReasons = {
  debugEnded: ['DEBUG ended by itself after 60 minutes', 'DEBUG завершён автоматически через 60 минут'],
} as const satisfies Record<string, Label>
