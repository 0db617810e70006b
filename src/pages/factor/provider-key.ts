/** In session storage: the proof that this tab began a sign-in at the provider. Also the name of the channel of confirmations. */
export const providerKey = 'ess-console.provider'
