/** Of rolldown's ChunkingContext, what is needed here. */
type Graph = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/** Matches the scripts of packages, however deep these are installed; style sheets are side effects and stay. */
export const packages = (...names: string[]) => new RegExp(`/node_modules/(?:${names.join('|')})/.*\\.[cm]?js`)

const own = /\/(?:src|providers|resources)\//
/** The input of days, which few forms have. */
const dates = /\/src\/ui\/input\/date\//
/** Without it and the inputs of antd. */
const kit = /\/src\/ui\/(?!antd|input\/date\/)/
const entry = '/src/main.tsx'
const signIn = '/src/pages/public/login-page.tsx'
const frame = '/src/app.tsx'
/** A list stands on a page of its own and below a record, which asks for it when such a tab is opened. */
const listScreen = ['/src/views/list/list-page.tsx', '/src/views/show/related-list.tsx', '/src/fields/structure/flow.tsx']
const recordScreen = '/src/views/show/show-page.tsx'
const formScreen = '/src/views/form/form-page.tsx'
const client = '/providers/client-code.ts'

const antd = packages('antd', 'rc-[^/]+', '@rc-component/[^/]+', '@ant-design/[^/]+', '@refinedev/antd')

/** A module and all that it imports, lazy imports left out. */
function closure(graph: Graph, id: string, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) closure(graph, next, seen)
  return seen
}

/**
 * HTTP/1.1 gives six connections, so the first screen comes in few pieces, cut by when they are needed: what every page needs
 * (`base`, `start`), the sign-in page for those who are not signed in, what everybody who is signed in needs (`console`: the frame,
 * Refine and what lists share with other screens), one piece per screen (`list`, `record`, the form), and antd with our inputs of it.
 * The HTTP client comes with `record`: the first page of a list is drawn from what the document has asked for.
 */
export function chunkGroups(root: string) {
  let pieceOf: ((id: string) => string | undefined) | undefined
  let isOfStart: ((id: string) => boolean) | undefined

  const closuresIn =
    (graph: Graph) =>
    (...screens: string[]) => {
      const seen = new Set<string>()
      for (const screen of screens) closure(graph, root + screen, seen)
      return seen
    }

  /** Inputs of the sign-in page that dialogs have, too, come at once: a visitor would else fetch the dialogs. */
  const start = (graph: Graph) => {
    const closureOf = closuresIn(graph)
    const [ofEntry, ofSignIn] = [closureOf(entry), closureOf(signIn)]
    const ofConsole = closureOf(frame, ...listScreen, recordScreen, formScreen)
    return (id: string) => own.test(id) && (ofEntry.has(id) || (ofSignIn.has(id) && ofConsole.has(id)))
  }

  const pieces = (graph: Graph) => {
    const closureOf = closuresIn(graph)
    const ofFrame = closureOf(frame)
    const ofList = closureOf(...listScreen)
    const ofRecord = closureOf(recordScreen)
    const ofForm = closureOf(formScreen)
    const ofClient = closureOf(client)
    // Dialogs share the form's part of the kit; without a group each part would be its own file.
    const isOfRecord = (id: string) => ofRecord.has(id) || (ofForm.has(id) && kit.test(id))
    return (id: string) => {
      if (ofFrame.has(id)) return 'console'
      if (ofClient.has(id)) return 'record'
      if (!own.test(id)) return undefined
      // Parts that only the form shares with a list come with the list, which people open first.
      if (ofList.has(id)) return ofRecord.has(id) ? 'console' : 'list'
      return isOfRecord(id) ? 'record' : undefined
    }
  }

  return [
    { name: 'base', priority: 40, test: packages('react', 'react-dom', 'scheduler') },
    {
      name: 'antd',
      priority: 30,
      // Locales are fetched one at a time; only the English one comes along.
      test: (id: string) => antd.test(id) && !/\/locale\/(?!en_US|index|context|useLocale)/.test(id),
    },
    {
      name: (id: string, graph: Graph) => {
        isOfStart ??= start(graph)
        return isOfStart(id) ? 'start' : undefined
      },
      debugName: 'start',
      priority: 36,
    },
    {
      name: (id: string, graph: Graph) => {
        pieceOf ??= pieces(graph)
        return pieceOf(id)
      },
      debugName: 'screens',
      priority: 35,
    },
    // Apart from antd, whose inputs take them along: a form with dates and a chart are there before it.
    { name: 'dates', priority: 6, test: dates },
    { name: 'tokens', priority: 6, test: /\/src\/ui\/theme\/tokens/ },
    // Last, because a group takes along what its modules import and no other group has.
    { name: 'inputs', priority: 5, test: /\/src\/ui\/antd\/(?!lazy-antd)/ },
  ]
}
