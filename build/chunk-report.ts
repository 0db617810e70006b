import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** Contents of a chunk of the console, and its static imports. */
export type ChunkReport = { modules: string[]; packages: string[]; imports: string[]; styles: string[] }

const packageOf = (id: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

/** Writes the contents of each chunk: the budgets count routes by it and name strangers in them. */
export function chunkReport(): Plugin {
  let root = ''
  return {
    name: 'chunk-report',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      const chunks: Record<string, ChunkReport> = {}
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const ids = Object.entries(chunk.modules).flatMap(([id, module]) => (module.renderedLength > 0 ? [id] : []))
        chunks[chunk.fileName] = {
          modules: ids.filter((id) => !packageOf(id)).map((id) => relative(root, id)),
          packages: [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].sort(),
          imports: chunk.imports,
          styles: [...(chunk.viteMetadata?.importedCss ?? [])],
        }
      }
      this.emitFile({ type: 'asset', fileName: '.vite/chunks.json', source: JSON.stringify(chunks, null, 1) })
    },
  }
}
