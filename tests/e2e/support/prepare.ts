import { existsSync } from 'node:fs'
import { prepareFleet } from './live-server.ts'

/** Before all browser tests: the build must be there, and one demo fleet that every worker copies. Answers how to tidy up. */
export default function prepare(): Promise<() => Promise<void>> {
  if (!existsSync('dist/server/main.mjs') || !existsSync('dist/console/index.html'))
    throw new Error('Nothing is built: run `npm run build` first')
  return prepareFleet()
}
