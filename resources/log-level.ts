import type { Label } from '#schema/words.ts'

export const logLevels = ['ERROR', 'WARN', 'INFO', 'DEBUG'] as const

export const logLevelHelp = ['DEBUG ends by itself after 60 minutes: the level before it comes back.',
  'DEBUG завершится сам через 60 минут: вернётся прежний уровень.'] as const satisfies Label
