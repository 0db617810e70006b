import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Plugin, type ResolvedConfig, runnerImport } from 'vite'
import type { EarlyPlan } from '#console/early-plan.ts'
import { inlineLanguages, languages } from '#schema/words.ts'
import { classicScript } from './classic-script.ts'

/** Of rolldown's bundle, what is needed here. */
type Chunk = { type: 'chunk'; fileName: string; imports: string[]; modules: Record<string, unknown> }
type Bundle = Readonly<Record<string, { type: string } | Chunk>>

const entry = 'src/early-start.ts'
/** Module that stands for what an address needs on top of the first scripts of the document. */
const modules = {
  console: '/src/app.tsx',
  signIn: '/src/pages/public/login-page.tsx',
  dashboard: '/src/pages/dashboard/dashboard-code.ts',
  clientView: '/src/pages/dashboard/client/client-view.tsx',
  powerLines: '/src/pages/dashboard/charts/power-lines.tsx',
  list: '/src/views/list/list-page.tsx',
  show: '/src/views/show/show-page.tsx',
  form: '/src/views/form/form-page.tsx',
  client: '/providers/client-code.ts',
} as const satisfies Record<keyof EarlyPlan['scripts'], string>

/** The chunk of a module and all that it imports. Fails when no chunk has the module. */
export function scriptsFor(bundle: Bundle, root: string, module: string): string[] {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk')
  const first = chunks.find((chunk) => Object.hasOwn(chunk.modules, root + module))
  if (!first) throw new Error(`early-start: no chunk has ${module}`)
  const seen = new Set<string>()
  const visit = (fileName: string) => {
    if (seen.has(fileName)) return
    seen.add(fileName)
    for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) visit(next)
  }
  visit(first.fileName)
  return [...seen].map((fileName) => `/${fileName}`)
}

/** Hash of all files, whose names have hashes of their contents. */
const buildOf = (bundle: Bundle) => createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 16)

/**
 * Puts a small script into the head of the document, so that it works behind any static server: it preloads the chunks of the address,
 * shows the frame, and starts the first calls of a session while the scripts are on their way.
 */
export function earlyStart(): Plugin {
  let config: ResolvedConfig | undefined

  /** Scripts that the document names itself are left out. */
  function scriptsOf(bundle: Bundle, root: string): EarlyPlan['scripts'] {
    const first = new Set(scriptsFor(bundle, root, '/src/main.tsx'))
    const later = (module: string) => scriptsFor(bundle, root, module).filter((file) => !first.has(file))
    const { console, signIn, dashboard, clientView, powerLines, list, show, form, client } = modules
    return {
      console: later(console),
      signIn: later(signIn),
      dashboard: later(dashboard),
      clientView: later(clientView),
      powerLines: later(powerLines),
      list: later(list),
      show: later(show),
      form: later(form),
      client: later(client),
    }
  }

  return {
    name: 'early-start',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(resolved) {
      config = resolved
    },
    transformIndexHtml: {
      order: 'post',
      async handler(_html, { bundle }) {
        if (!config || !bundle) throw new Error('early-start: the document is written before the chunks are known')
        const { root } = config
        // Read by Vite, since the definitions are TypeScript.
        const path = join(root, 'build/early-sections.ts')
        const { module } = await runnerImport<{ sections: EarlyPlan['sections'] }>(path, { root, configFile: false })
        const plan: EarlyPlan = {
          build: buildOf(bundle),
          languages: {
            inline: inlineLanguages,
            further: languages.filter((code) => !inlineLanguages.some((one) => one === code)),
          },
          scripts: scriptsOf(bundle, root),
          sections: module.sections,
        }
        const data = JSON.stringify(plan).replaceAll('<', '\\u003c')
        const code = await classicScript(config, { fileName: 'early-start.js', entry, envDir: config.envDir || root })
        return [{ tag: 'script', injectTo: 'head-prepend', children: `const earlyPlan=${data};${code.trim()}` }]
      },
    },
  }
}
