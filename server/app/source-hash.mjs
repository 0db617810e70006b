import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = [
  'src',
  'resources',
  'providers',
  'public',
  'server',
  'build',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  '.env',
  '.env.local',
  '.env.production',
  '.env.production.local',
]

const filesIn = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((found) => found.isFile())
        .map((found) => join(found.parentPath, found.name))

/** One hash over all sources of the build. Content, not times: a fresh clone is as good as the folder that was built. */
export function sourceHash(root) {
  const hash = createHash('sha256')
  const paths = sources.map((source) => join(root, source)).filter((path) => existsSync(path))
  for (const file of paths.flatMap(filesIn).sort())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Vite puts these variables of the environment into the console. */
const settingsOf = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('VITE_')))

const stampOf = (root) => join(root, 'dist/stamp.json')

/** The sources and settings of the last finished build. */
function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampOf(root), 'utf8'))
  } catch {
    return { settings: {} }
  }
}

/** Builds, and leaves a stamp with sources and settings. A build that fails leaves none. @public: vite.config.ts calls it. */
export async function stampBuild(root, env, build) {
  const stamp = { sources: sourceHash(root), settings: settingsOf(env) }
  rmSync(stampOf(root), { force: true })
  await build()
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampOf(root), JSON.stringify(stamp))
}

/** The settings to build with; undefined where the present build will do. Settings of the last build hold until others are given. */
export function plannedBuild(root, env) {
  const last = readStamp(root)
  const settings = { ...last.settings, ...settingsOf(env) }
  const isSame = Object.entries(settings).every(([name, value]) => last.settings[name] === value)
  const isFresh = existsSync(join(root, 'dist/server/main.mjs')) && isSame && last.sources === sourceHash(root)
  return isFresh ? undefined : settings
}
