import type { Plugin } from 'vite'

/**
 * Drops calls of functions that only describe what they are given. Refine's build names each function once more by `__name`, a statement
 * of its own that keeps every hook alive that nothing imports. Fails the build for a function that no module of the package calls.
 */
export function pureFunctions(...rows: { name: string; calledIn: RegExp }[]): Plugin {
  return {
    name: 'pure-functions',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({
      environments: {
        client: { build: { rolldownOptions: { treeshake: { manualPureFunctions: rows.map(({ name }) => name) } } } },
      },
    }),
    buildEnd(error) {
      if (error) return
      const ids = [...this.getModuleIds()]
      const isCalled = ({ name, calledIn }: (typeof rows)[number]) =>
        ids.some((id) => calledIn.test(id) && this.getModuleInfo(id)?.code?.includes(`${name}(`))
      const unused = rows.filter((row) => !isCalled(row)).map(({ name }) => name)
      if (unused.length > 0) this.error(`No module calls ${unused.join(', ')}: remove the row from vite.config.ts`)
    },
  }
}
