import type { Label } from '#schema/words.ts'

/** Texts of the provider sign-in, loaded with its components instead of the sign-in page. */
export const providerWords = {
  signIn: ['Sign in with {name}', 'Войти через {name}'],
  busy: ['Signing in', 'Выполняется вход'],
  failed: ['The sign-in failed', 'Войти не удалось'],
  back: ['Back to sign-in', 'Назад ко входу'],
  sent: ['Confirmation', 'Подтверждение'],
  close: ['You can close this window.', 'Это окно можно закрыть.'],
} as const satisfies Record<string, Label>
