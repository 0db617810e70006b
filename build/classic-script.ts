import { join } from 'node:path'
import { build, type ResolvedConfig } from 'vite'

export type ClassicScript = { fileName: string; entry: string; envDir: string }

/** Bundles a source into one classic script, with the settings of the console's build. */
export async function classicScript(config: ResolvedConfig, { fileName, entry, envDir }: ClassicScript): Promise<string> {
  const { root, mode, command } = config
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    mode,
    envDir,
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      minify: command === 'build',
      sourcemap: command === 'serve' ? 'inline' : false,
      rolldownOptions: {
        input: join(root, entry),
        output: { format: 'iife', codeSplitting: false, entryFileNames: fileName },
      },
    },
  })
  const [first] = Array.isArray(output) ? output : [output]
  const [chunk] = first && 'output' in first ? first.output : []
  if (chunk?.type !== 'chunk') throw new Error(`${fileName}: nothing was bundled`)
  return chunk.code
}
