import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vitest/config'
import { stampBuild } from '#server/app/source-hash.mjs'
import { chunkGroups } from './build/chunk-groups.ts'
import { chunkReport } from './build/chunk-report.ts'
import { compileHints } from './build/compile-hints.ts'
import { cutLabels } from './build/cut-labels.ts'
import { earlyStart } from './build/early-start.ts'
import { inertPackages } from './build/inert-packages.ts'
import { kitLocales } from './build/kit-locales.ts'
import { packageBuild } from './build/package-build.ts'
import { precompress } from './build/precompress.ts'
import { pureFunctions } from './build/pure-functions.ts'
import { serviceWorker } from './build/service-worker.ts'
import { requireSoundDefinitions } from './build/sound-definitions.ts'
import { consoleNotices, writeNotices } from './build/third-party-notices.ts'
import { readFirebaseConfig } from './providers/push/firebase-config.ts'

/** One import of Refine's antd hooks would drag a markdown parser along. */
const inert = inertPackages(
  '@refinedev/(?:antd|core|simple-rest|ui-types)',
  '@ant-design/pro-[^/]+',
  'react-markdown',
  'remark-[^/]+',
  'micromark[^/]*',
  'mdast-[^/]+',
  'unist-[^/]+',
  'unified',
  'vfile[^/]*',
  'papaparse',
  'pluralize',
  'query-string',
  'error-stack-parser',
)

const pure = pureFunctions({ name: '__name', calledIn: /\/@refinedev\/core\// })

/** The package offers no condition for production: without this, the checks and warnings of its development build ship. */
const router = packageBuild({ name: 'react-router', from: '/dist/development/', to: '/dist/production/' })

/** The database worker is started by its address, so it stands beside the bundle as a file of its own. */
function databaseWorker(): Plugin {
  return {
    name: 'database-worker',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pglite-worker.mjs', source: readFileSync('server/db/pglite-worker.mjs') })
    },
  }
}

/** The push provider's part is four times the rest of the worker: it is there only where it is set up. */
const pushWorker = serviceWorker({
  fileName: 'push-sw.js',
  entry: (environment) => (readFirebaseConfig(environment) ? 'src/worker/firebase-worker.ts' : 'src/worker/push-worker.ts'),
})

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))

const isContract = 'tests/**/*.contract.test.ts'

export default defineConfig({
  plugins: [
    react(),
    cutLabels(),
    earlyStart(),
    kitLocales(),
    inert,
    pure,
    router,
    databaseWorker(),
    pushWorker,
    // Most functions of a first screen run before its first row stands.
    compileHints('base', 'start', 'console', 'list'),
    chunkReport(),
    precompress(),
  ],
  builder: {
    buildApp: (builder) =>
      stampBuild(import.meta.dirname, process.env, async () => {
        await requireSoundDefinitions(import.meta.dirname)
        for (const environment of Object.values(builder.environments)) await builder.build(environment)
        writeNotices(import.meta.dirname)
      }),
  },
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(process.env.VITE_APP_VERSION ?? version) },
  environments: {
    client: {
      build: {
        outDir: 'dist/console',
        emptyOutDir: true,
        manifest: true,
        license: { fileName: consoleNotices },
        // One sheet: the kit's styles are small, and antd brings its own by script.
        cssCodeSplit: false,
        target: 'es2023',
        modulePreload: { polyfill: false },
        // A warning of Vite about size says nothing: the budgets are checked against the compressed graph of each route.
        chunkSizeWarningLimit: 4000,
        rolldownOptions: {
          output: { codeSplitting: { groups: chunkGroups(import.meta.dirname) } },
        },
      },
    },
    ssr: {
      resolve: { external: true },
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        ssr: true,
        copyPublicDir: false,
        target: 'node20',
        sourcemap: true,
        rolldownOptions: {
          input: 'server/main.ts',
          output: { entryFileNames: 'main.mjs', codeSplitting: false },
        },
      },
    },
  },
  test: {
    maxWorkers: 2,
    // Polling may take long on a busy machine: the default of a second is too short.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          testTimeout: 20_000,
          exclude: [isContract, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'happy-dom',
          include: ['tests/**/*.test.tsx'],
          setupFiles: ['tests/support/settle-screens.ts'],
          // Left to Node, Refine's binding would load another copy of the router than the screens do.
          server: { deps: { inline: [/@refinedev\//, /react-router/] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          environment: 'node',
          // Each opens a database and a server of its own; started once in a worker, these modules serve all of its files.
          isolate: false,
          restoreMocks: true,
          // Real databases may be late once on a busy machine. Units and screens have no second try.
          retry: process.env.CI ? 1 : 0,
          include: [isContract],
          globalSetup: ['tests/support/run-folder.ts', 'tests/support/postgres.ts'],
          testTimeout: 60_000,
          // The first hook of a run makes the templates of the databases.
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
