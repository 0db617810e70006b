export type FirebaseConfig = { apiKey: string; projectId: string; appId: string; messagingSenderId: string; vapidKey: string }

const variables = {
  apiKey: 'VITE_FIREBASE_API_KEY',
  projectId: 'VITE_FIREBASE_PROJECT_ID',
  appId: 'VITE_FIREBASE_APP_ID',
  messagingSenderId: 'VITE_FIREBASE_MESSAGING_SENDER_ID',
  vapidKey: 'VITE_FIREBASE_VAPID_KEY',
} as const satisfies Record<keyof FirebaseConfig, string>

/** Firebase settings of an environment; undefined unless all are set. */
export function readFirebaseConfig(environment: Readonly<Record<string, unknown>>): FirebaseConfig | undefined {
  const config: FirebaseConfig = { ...variables }
  for (const [key, name] of Object.entries(variables)) {
    const value = environment[name]
    Object.assign(config, { [key]: typeof value === 'string' ? value.trim() : '' })
  }
  return Object.values(config).every(Boolean) ? config : undefined
}
