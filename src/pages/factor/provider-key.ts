/** Session storage key of the secret for a sign-in attempt in this tab; also the BroadcastChannel name of confirmations. */
export const providerKey = 'ess-console.provider'
