/** First segments of addresses that are pages of the console, its files, or the API. */
export const ownAddresses = [
  'about',
  'api',
  'assets',
  'filling',
  'inbox',
  'locales',
  'login',
  'profile',
  'restore-password',
  'restore-self',
  'support',
] as const
