import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const root = process.cwd()
const notSources = new Set(['node_modules', 'dist', 'tests', 'bench', 'data', '.git', '.cache'])
const run = promisify(execFile)

export type OwnProject = {
  dir: string
  /** An npm script of the copy; answers what it prints, rejects when it fails. */
  script: (name: string, env?: Readonly<Record<string, string>>, args?: readonly string[]) => Promise<string>
  /** Adds a definition: its file, and its line in the list of all. */
  addResource: (file: string, name: string, text: string) => Promise<void>
  remove: () => Promise<void>
}

/** The sources of this project in a folder of their own, with the packages that are installed here. */
export async function copyProject(): Promise<OwnProject> {
  const dir = await mkdtemp(join(tmpdir(), 'ess-own-'))
  const isSource = (path: string) => path === root || !notSources.has(basename(path))
  await cp(root, dir, { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  return {
    dir,
    script: async (name, env = {}, args = []) => {
      const { stdout, stderr } = await run('npm', ['run', '--silent', name, '--', ...args], {
        cwd: dir,
        env: { ...process.env, ...env },
      })
      return stdout + stderr
    },
    addResource: async (file, name, text) => {
      await writeFile(join(dir, 'resources', file), text)
      const index = join(dir, 'resources/index.ts')
      const before = await readFile(index, 'utf8')
      const imported = `import { ${name} } from './${file}'\n${before}`
      await writeFile(index, imported.replace(/^ {2}firmware,$/m, `  firmware,\n  ${name},`))
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
