import type { Plugin } from 'vite'

export type PackageBuild = { name: string; from: string; to: string }

/**
 * Takes another build of a package, for one whose `exports` offer no condition for production. Fails the build when nothing imports the
 * package, or when its entry does not lie in `from` any more.
 */
export function packageBuild({ name, from, to }: PackageBuild): Plugin {
  let isFound = false
  return {
    name: `package-build:${name}`,
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async resolveId(source, importer, options) {
      if (source !== name) return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      const id = resolved?.id ?? ''
      // The folder of the project may have such a part in its path, too.
      const place = id.indexOf(from, id.lastIndexOf(`/node_modules/${name}/`))
      if (!resolved || place < 0) return this.error(`${name}: its entry is ${id || 'missing'}, not in ${from}`)
      isFound = true
      return { ...resolved, id: id.slice(0, place) + to + id.slice(place + from.length) }
    },
    buildEnd(error) {
      if (!error && !isFound) this.error(`${name}: no module imports it; remove the row from vite.config.ts`)
    },
  }
}
