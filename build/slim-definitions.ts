import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { Field } from '#schema/field-types.ts'
import type { Access, Action, AnyResource } from '#schema/resource.ts'
import { languages } from '#schema/words.ts'
import { type CutWords, cutWords } from './definition-words.ts'

/** What an action is until somebody asks for it, and what a dialog or a widget then needs of it. */
export type CutAction = { early: Action; late: Partial<Action> }

/**
 * An action that asks first shows nothing but its label until its dialog opens; who may use it comes with the session, and what it
 * sets is the server's to know.
 */
export function cutAction({ roles: _, set: __, ...action }: Action): CutAction {
  if (!action.form && !action.confirm) return { early: action, late: {} }
  const { label, icon, on, when, through, permit, form, confirm, ...rest } = action
  const early = {
    label,
    ...(icon && { icon }),
    ...(on && { on }),
    ...(when && { when }),
    ...(through && { through }),
    ...(permit && { permit }),
    ...(form && { form: {} }),
    ...(confirm && { confirm: { body: ['', ''] as const, ...(confirm.danger && { danger: true as const }) } }),
  }
  return { early, late: { ...rest, ...(form && { form }), ...(confirm && { confirm }) } }
}

/** Who may read what no form asks for is the server's to know: it comes, or it does not. */
function cutField(field: Field): Field {
  if (!field.readOnly && !field.derived) return field
  const { access: _, ...early } = field
  return early
}

/** That somebody may, so that there is such a page; who, comes with the session. */
const cutAccess = (access: Access): Access =>
  Object.fromEntries(Object.entries(access).map(([verb, roles]) => [verb, roles.slice(0, 1)]))

/** Late parts by resource and action. */
export type LateActions = Record<string, Record<string, Partial<Action>>>

/** Definitions as the first load brings them, and what is missing from them. */
export function cutActions(resources: readonly AnyResource[]): { early: AnyResource[]; late: LateActions } {
  const late: LateActions = {}
  // Which rows a role sees is the server's to know as well.
  const early = resources.map(({ scope: _, ...whole }) => {
    const fields = Object.entries(whole.fields).map(([name, field]) => [name, cutField(field)] as const)
    const access = whole.access && { access: cutAccess(whole.access) }
    const resource = { ...whole, fields: Object.fromEntries(fields), ...access }
    if (!resource.actions) return resource
    const cut = Object.entries(resource.actions).map(([name, action]) => [name, cutAction(action)] as const)
    late[resource.name] = Object.fromEntries(
      cut.flatMap(([name, part]) => (part.early.form || part.early.confirm ? [[name, part.late]] : [])),
    )
    return { ...resource, actions: Object.fromEntries(cut.map(([name, part]) => [name, part.early])) }
  })
  return { early, late }
}

const definitions = '/resources/index.ts'
const reader = '/src/views/actions/form-fields-of.ts'
const lateId = 'virtual:late-actions'

/** Puts the late parts into the definitions that are there already. */
const lateScript = (late: LateActions) => `import { resources } from '#resources/index.ts'
const late = ${JSON.stringify(late)}
for (const { name, actions } of resources)
  for (const [action, part] of Object.entries(late[name] ?? {})) Object.assign(actions[action], part)
`

const tableScript = ({ code, print, count }: CutWords) => `import { labelsOf } from '#schema/label-table.ts'
const L = labelsOf(${JSON.stringify(print)}, ${count})
let at = 0
const N = () => L[at++]
export const resources = ${code}
`

/**
 * Forms and questions of actions come with whoever reads them (the dialog that shows them first of all), and the other words of
 * definitions with those of the page's language, so that definitions may have many of them and the first load stays small. Definitions
 * are data: they are read at the build, and written as they are needed. While developing they stay whole.
 */
export function slimDefinitions(): Plugin {
  let root = ''
  let cut: Promise<ReturnType<typeof cutActions>> | undefined
  const read = async () => {
    const { module } = await runnerImport<{ resources: readonly AnyResource[] }>(join(root, definitions), {
      root,
      configFile: false,
      logLevel: 'error',
    })
    return cutActions(module.resources)
  }
  return {
    name: 'slim-definitions',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved: (config) => {
      root = config.root
    },
    resolveId: (source) => (source === lateId ? `\0${lateId}` : undefined),
    async load(id) {
      cut ??= read()
      if (id === `\0${lateId}`) return { code: lateScript((await cut).late), moduleSideEffects: true }
      if (id === root + definitions) return tableScript(cutWords((await cut).early))
      return undefined
    },
    async generateBundle() {
      cut ??= read()
      const { words } = cutWords((await cut).early)
      for (const language of languages) {
        const own: object = JSON.parse(await readFile(join(root, `public/locales/${language}.json`), 'utf8'))
        const source = JSON.stringify({ ...own, definitions: words[language] })
        this.emitFile({ type: 'asset', fileName: `locales/${language}.json`, source })
      }
    },
    transform: {
      filter: { id: /\/src\/views\/actions\/form-fields-of\.ts$/ },
      handler: (code, id) => (id === root + reader ? { code: `import '${lateId}'\n${code}`, map: null } : undefined),
    },
  }
}
