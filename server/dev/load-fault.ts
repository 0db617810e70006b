import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const problems = /^(\S.*?):(\d+):(\d+): ERROR: (.*)$/gm
const places = /(file:\/\/\S+?|\/\S+?):(\d+):(\d+)/g

const shown = (root: string, path: string) => relative(root, path.startsWith('file:') ? fileURLToPath(path) : path)

/**
 * Lines about a module that cannot be loaded: `resources/guest.ts:10:14: Expected ":" but found "{" (syntax)`. For a module that
 * throws: the first frame of the project in its stack, without the loader's own frames.
 */
export function loadFault(error: unknown, root: string): string {
  if (!(error instanceof Error)) return String(error)
  const syntax = [...error.message.matchAll(problems)]
  if (syntax.length > 0)
    return syntax
      .map(([, file = '', line, column, text]) => `${shown(root, file)}:${line}:${column}: ${text} (syntax)`)
      .join('\n')
  const inProject = [...(error.stack ?? '').matchAll(places)]
    .map(([, path = '', line, column]) => ({ file: shown(root, path), line, column }))
    .find(({ file }) => !file.startsWith('..') && !file.includes('node_modules'))
  const place = inProject ? `${inProject.file}:${inProject.line}:${inProject.column}: ` : ''
  return `${place}${error.message.replaceAll(`${root}/`, '')} (load)`
}
