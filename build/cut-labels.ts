import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { AnyResource } from '#schema/resource.ts'
import { inlineLanguages } from '#schema/words.ts'
import { type CutWords, cutWords } from './definition-words.ts'

const definitions = '/resources/index.ts'
const actionForms = '/src/schema/later/action-forms.ts'
const listFacts = '/src/schema/later/list-facts.ts'
const dashboardFigures = '/src/schema/later/dashboard-figures.ts'

const tableScript = ({
  code,
  print,
  count,
}: CutWords) => `import { nextFigures as G, nextForm as F, nextListFacts as H } from '#schema/later/later-parts.ts'
import { labelsOf } from '#schema/label-table.ts'
const L = labelsOf(${JSON.stringify(print)}, ${count})
let at = 0
const N = () => L[at++]
const S = []
export const resources = ${code}
`

/** Fills each value of a later part into its slot of the definitions, which are loaded before. */
const laterScript = (
  table: 'laterForms' | 'laterFigures' | 'laterLists',
  values: readonly string[],
) => `import { labelTable as L } from '#schema/label-table.ts'
import { ${table} } from '#schema/later/later-parts.ts'
for (const [index, value] of [${values.join()}].entries()) Object.assign(${table}[index], value)
`
const formsScript = ({ later }: CutWords) => laterScript('laterForms', later.forms)
const listsScript = ({ later }: CutWords) => laterScript('laterLists', later.lists)
const figuresScript = ({ later }: CutWords) => laterScript('laterFigures', later.figures)

/**
 * Splits the definitions: labels come with the words of the page's language, facts of forms with the first dialog, facts of lists
 * with the first list, and figures with the dashboard. The values are those of `#resources/index.ts`, which development, tests and
 * the server read. Fails the build when no module imports the definitions.
 */
export function cutLabels(): Plugin {
  let root = ''
  let cut: Promise<CutWords> | undefined
  const read = async () => {
    const { module } = await runnerImport<{ resources: readonly AnyResource[] }>(join(root, definitions), {
      root,
      configFile: false,
      logLevel: 'error',
    })
    return cutWords(module.resources)
  }
  return {
    name: 'cut-labels',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved: (config) => {
      root = config.root
    },
    async load(id) {
      const script = {
        [root + definitions]: tableScript,
        [root + actionForms]: formsScript,
        [root + listFacts]: listsScript,
        [root + dashboardFigures]: figuresScript,
      }[id]
      if (!script) return undefined
      cut ??= read()
      return script(await cut)
    },
    async generateBundle() {
      if (!cut) return this.error(`${definitions}: no module of the console imports it, so no label was cut`)
      const { words } = await cut
      for (const language of inlineLanguages) {
        const own: object = JSON.parse(await readFile(join(root, `public/locales/${language}.json`), 'utf8'))
        const source = JSON.stringify({ ...own, definitions: words[language] })
        this.emitFile({ type: 'asset', fileName: `locales/${language}.json`, source })
      }
    },
  }
}
