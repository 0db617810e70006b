import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Notice = { name: string; version: string; identifier: string; text: string }
type LockedPackage = { version?: string; license?: string; dev?: boolean; devOptional?: boolean }

/** Vite's `build.license` writes it into the console's folder. */
export const consoleNotices = '.vite/licenses.json'

const textFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

function textOf(folder: string): string {
  const files = readdirSync(folder)
    .filter((file) => textFile.test(file))
    .sort()
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
}

/** Packages that run beside the server's bundle: all that the lock has for production and that this platform installs. */
function serverNotices(root: string): Notice[] {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages).flatMap(([path, { version = '', license = 'unknown', dev, devOptional }]) => {
    const folder = join(root, path)
    if (path === '' || dev || devOptional || !existsSync(folder)) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return [{ name, version, identifier: license, text: textOf(folder) }]
  })
}

/** Packages whose files the console carries as they are: a style sheet that names them is no module of the bundle. */
function assetNotices(root: string, manifest: Record<string, unknown>): Notice[] {
  const folders = Object.keys(manifest).flatMap((source) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [])
  return [...new Set(folders)].map((folder) => {
    const { name, version, license }: Record<string, string> = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    return { name: name ?? folder, version: version ?? '', identifier: license ?? 'unknown', text: textOf(join(root, folder)) }
  })
}

const titleOf = ({ name, version, identifier }: Notice) => `${name} ${version} (${identifier})`

const bodyOf = (text: string) =>
  text ? `\`\`\`\`text\n${text}\n\`\`\`\`` : 'No licence text in the package; its licence stands beside its name.'

/** Names of packages above the licence text that they share. */
function page(notices: readonly Notice[]): string {
  const titles = new Map<string, Set<string>>()
  for (const notice of notices) titles.set(notice.text, (titles.get(notice.text) ?? new Set()).add(titleOf(notice)))
  const parts = [...titles].map(([text, names]) => `## ${[...names].sort().join(', ')}\n\n${bodyOf(text)}`)
  return `# Third-party notices\n\nThe console and its server contain these packages.\n\n${parts.sort().join('\n\n')}\n`
}

/** Writes the licences of everything that `dist` bundles or runs with. */
export function writeNotices(root: string): void {
  const bundled: Notice[] = JSON.parse(readFileSync(join(root, 'dist/console', consoleNotices), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(root, 'dist/console/.vite/manifest.json'), 'utf8'))
  const text = (notice: Notice) => ({ ...notice, text: (notice.text ?? '').trim() })
  writeFileSync(
    join(root, 'dist/THIRD-PARTY-NOTICES.md'),
    page([...bundled.map(text), ...assetNotices(root, manifest), ...serverNotices(root)]),
  )
}
