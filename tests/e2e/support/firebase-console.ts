import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { type LiveServer, startFleet } from './live-server.ts'

const root = process.cwd()

const settings = {
  VITE_FIREBASE_API_KEY: 'AIzaSyTest-key-of-the-browser-tests-0000000',
  VITE_FIREBASE_PROJECT_ID: 'console-tests',
  VITE_FIREBASE_APP_ID: '1:1234567890:web:0123456789abcdef',
  VITE_FIREBASE_MESSAGING_SENDER_ID: '1234567890',
  VITE_FIREBASE_VAPID_KEY: 'BNbxGYNMhEIi9zrneh7mqV4oUanjLUK3m-mYZBc62frMKrEoMk88r3Lk596T0ck9xlT-aok0fO1KXBLV4-XqxYM',
}

/**
 * A second console that is built for Firebase, and a server that is set up for it. Its settings are part of the build, as they are
 * for an operator; reading them when the page starts would cost every first load a request for the sake of this test.
 */
export async function startFirebaseConsole(): Promise<LiveServer> {
  const dir = await mkdtemp(join(tmpdir(), 'ess-firebase-'))
  Object.assign(process.env, settings)
  try {
    const outDir = join(dir, 'dist/console')
    await build({ root, logLevel: 'error', environments: { client: { build: { outDir, emptyOutDir: true } } } })
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name]
  }
  await mkdir(join(dir, 'dist/server'))
  for (const file of ['main.mjs', 'pglite-worker.mjs']) {
    await cp(join(root, 'dist/server', file), join(dir, 'dist/server', file))
  }
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  await writeFile(join(dir, 'account.json'), JSON.stringify(serviceAccount()))
  const server = await startFleet({ dir, env: { FCM_SERVICE_ACCOUNT: join(dir, 'account.json') } })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A key that is nobody's; nothing listens where tokens are asked for. */
function serviceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    project_id: settings.VITE_FIREBASE_PROJECT_ID,
    client_email: 'tests@console-tests.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'http://127.0.0.1:9/token',
  }
}
