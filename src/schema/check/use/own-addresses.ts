/** Addresses that are pages of the console, its files, or the API, each with all that is below it. */
export const ownAddresses: readonly string[] = [
  'about',
  'api',
  'assets',
  'change-email/complete',
  'filling',
  'inbox',
  'invitation/complete',
  'locales',
  'login',
  'profile',
  'register/complete',
  'restore-password',
  'restore-self',
  'support',
]
