import { join } from 'node:path'
import type { Plugin } from 'vite'

const byRefine = /\/node_modules\/@refinedev\//
const byAxios = /\/node_modules\/axios\/lib\//

/**
 * What libraries of the first load import and this console does not need in full, and what stands in for it: 30 KB, compressed.
 * Each stand-in keeps the contract that its importer relies on:
 * - query strings: the options that Refine and its REST provider pass;
 * - equality and sets: of filters, sorters and other plain data;
 * - words are never made plural by rule, because definitions name both forms in each language;
 * - stack traces are read by Refine's development tools only;
 * - a browser sends by XMLHttpRequest, so axios never comes to its fetch adapter; nor does anybody ask it to turn objects into forms or
 *   forms into objects, to write a query, to cancel by a token, or for the names of statuses; no cookie is a token here, and the
 *   compiler checks the options;
 * - a link of Refine's router is a plain one: nothing prefetches as in a framework.
 */
const standIns: { source: string | RegExp; importer: RegExp; file: string }[] = [
  { source: 'qs', importer: byRefine, file: 'nested-query.ts' },
  { source: 'query-string', importer: byRefine, file: 'flat-query.ts' },
  { source: 'pluralize', importer: byRefine, file: 'pluralize.ts' },
  { source: 'error-stack-parser', importer: byRefine, file: 'error-stack-parser.ts' },
  { source: 'lodash-es/isEqual.js', importer: byRefine, file: 'is-equal.ts' },
  { source: 'lodash-es/differenceWith.js', importer: byRefine, file: 'difference-with.ts' },
  { source: 'lodash-es/unionWith.js', importer: byRefine, file: 'union-with.ts' },
  { source: 'react-router', importer: /\/node_modules\/@refinedev\/react-router\//, file: 'react-router.tsx' },
  { source: './fetch.js', importer: /\/node_modules\/axios\/lib\/adapters\/adapters\.js$/, file: 'axios-fetch.ts' },
  {
    source: /\/(?:toFormData|formDataToJSON|toURLEncodedForm|AxiosURLSearchParams|HttpStatusCode|CancelToken)\.js$/,
    importer: byAxios,
    file: 'axios-unused.ts',
  },
  { source: /\/cookies\.js$/, importer: byAxios, file: 'axios-cookies.ts' },
  { source: /\/validator\.js$/, importer: byAxios, file: 'axios-validator.ts' },
  { source: './assertParamsAcyclic.js', importer: byAxios, file: 'axios-acyclic.ts' },
]

/**
 * Every part of the router is kept for having been given a name for the developer tools, or for being made by a call or a class that
 * nobody has said is pure: its forms, prefetching and server rendering come along, although nothing here uses them.
 */
const withoutNames = (code: string) =>
  code
    .replace(/^[A-Za-z]+\.displayName = "\w+";$/gm, '')
    .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
    .replace(/^var (\w+) = (class extends React\d*\.Component \{\n[\s\S]*?\n\});$/gm, 'var $1 = /* @__PURE__ */ (() => $2)();')

/**
 * Refine's build names each function once more after its declaration. That is a statement of its own, which keeps every hook and
 * button alive that nothing imports.
 */
const withoutRenaming = (code: string) => code.replace(/^\s*__name\(\w+, "\w+"\);$/gm, '')

const isFor = (wanted: string | RegExp, source: string) =>
  typeof wanted === 'string' ? wanted === source : wanted.test(source)

/** Puts the stand-ins in place of the packages, in the built console and nowhere else. */
export function slim(): Plugin {
  return {
    name: 'slim',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async resolveId(source, importer = '', options) {
      const found = standIns.find((standIn) => isFor(standIn.source, source) && standIn.importer.test(importer))
      if (found) return join(import.meta.dirname, 'slim', found.file)
      if (source !== 'react-router') return
      // Its package offers no condition for production: without this, every check and warning of its development build ships.
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved && { ...resolved, id: resolved.id.replace('/dist/development/', '/dist/production/') }
    },
    transform: {
      filter: { id: [/\/react-router\/dist\/production\/chunk-.*\.mjs$/, /\/@refinedev\/[^/]+\/dist\/index\.mjs$/] },
      handler: (code, id) => ({ code: byRefine.test(id) ? withoutRenaming(code) : withoutNames(code), map: null }),
    },
  }
}
