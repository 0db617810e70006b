import type { Plugin } from 'vite'

/**
 * Tells V8 to compile the functions of these chunks with them, on a thread of its own. Otherwise each function is read once to find
 * its end and compiled at its first call, while the page waits. Other engines see a comment. Fails the build for a name without a chunk.
 */
export function compileHints(...names: string[]): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      // Only the first line counts, where Vite puts its list of preloads before.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        for (const name of names) {
          const chunk = chunks.find((each) => each.name === name)
          if (!chunk) return this.error(`No chunk ${name}: remove it from vite.config.ts`)
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}
