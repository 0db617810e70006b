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
  const textOf = (key: keyof FirebaseConfig) => {
    const value = environment[variables[key]]
    return typeof value === 'string' ? value.trim() : ''
  }
  const config = {
    apiKey: textOf('apiKey'),
    projectId: textOf('projectId'),
    appId: textOf('appId'),
    messagingSenderId: textOf('messagingSenderId'),
    vapidKey: textOf('vapidKey'),
  }
  return Object.values(config).every(Boolean) ? config : undefined
}
