import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'build/README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

const sources = ['src', 'providers', 'resources', 'server', 'build', 'tests', '.ci'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
)
const names = new Set(sources.map((path) => path.slice(path.lastIndexOf('/') + 1)))

/** Files in a text, and the folder or file that a line of a diagram begins with: `→ engine/http`. */
const pathsIn = (text: string): string[] => [
  ...[...text.matchAll(/(?<![\w*…/.-])[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|css)\b/g)].map(([path]) => path),
  ...[...text.matchAll(/^ [→←] ([a-z][\w-]*\/[\w./-]+)/gm)].map(([, path = '']) => path),
]

/** Folders that a document or an alias leaves out. */
const roots = ['', 'src', 'server', 'server/fleet'].map((folder) => join(root, folder))

/** A bare name is that of a file in any folder; a diagram may leave the ending out. */
const isThere = (path: string) =>
  path.includes('/')
    ? roots.some((folder) => existsSync(join(folder, path)) || existsSync(join(folder, `${path}.ts`)))
    : names.has(path)

/** The anchor that a forge makes of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
const anchorsIn = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Links of a document to a file or a heading that is not there. */
function brokenLinks(document: string): string[] {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path ? join(dirname(document), path) : document
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsIn(read(target)).includes(anchor)
  })
}

describe('the map of the sources', () => {
  it.each(['docs/console.md', 'docs/server.md'])('in %s names files that are there', (document) => {
    const paths = pathsIn(read(document))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  it('has at most 160 lines for the console', () => {
    expect(read('docs/console.md').trimEnd().split('\n').length).toBeLessThanOrEqual(160)
  })
})

describe('the links', () => {
  it.each(documents)('of %s lead somewhere', (document) => {
    expect(brokenLinks(document)).toEqual([])
  })
})
