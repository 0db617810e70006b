/** Texts of the pages with passkeys, by language. */
export const passkeyWords = {
  en: {
    card: 'Passkeys',
    add: 'Add a passkey',
    kept: 'I have kept them',
    signOut: 'Sign out',
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey',
    home: 'Dashboard',
  },
  ru: {
    card: 'Ключи доступа',
    add: 'Добавить ключ доступа',
    kept: 'Я их сохранил',
    signOut: 'Выйти',
    signIn: 'Войти по ключу доступа',
    use: 'Использовать ключ доступа',
    home: 'Сводка',
  },
} as const
export type PasskeyWords = (typeof passkeyWords)[keyof typeof passkeyWords]
