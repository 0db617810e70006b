/** Of rolldown's ChunkingContext, what is needed here. */
type Graph = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/** Matches the scripts of packages, however deep these are installed; style sheets are side effects and stay. */
export const packages = (...names: string[]) => new RegExp(`/node_modules/(?:${names.join('|')})/.*\\.[cm]?js`)

const own = /\/(?:src|providers|resources)\//
const kit = /\/src\/ui\/(?!antd)/
const frame = '/src/app.tsx'
const screens = ['/src/views/list-page.tsx', '/src/views/show-page.tsx', '/src/views/form-page.tsx']

/** A module and all that it imports, lazy imports left out. */
function closure(graph: Graph, id: string, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) closure(graph, next, seen)
  return seen
}

/**
 * HTTP/1.1 gives six connections, so the first screen comes in few pieces, cut by when they are needed: what every page needs
 * (`base`, `start`), what everybody who is signed in needs (`console`: the frame, Refine and what two screens share), one piece per
 * screen, and antd with our inputs of it.
 */
export function chunkGroups(root: string) {
  let isOfConsole: ((id: string) => boolean) | undefined

  const consoleTest = (graph: Graph) => {
    const ofFrame = closure(graph, root + frame)
    const ofScreens = screens.map((screen) => closure(graph, root + screen))
    // What a screen has of the kit is used by dialogs too: left alone, each such part would be a file of its own.
    const enough = (id: string) => (kit.test(id) ? 1 : 2)
    const isShared = (id: string) => own.test(id) && ofScreens.filter((modules) => modules.has(id)).length >= enough(id)
    return (id: string) => ofFrame.has(id) || isShared(id)
  }

  return [
    { name: 'base', priority: 40, test: packages('react', 'react-dom', 'scheduler', 'i18next', 'react-i18next') },
    {
      name: 'antd',
      priority: 30,
      test: packages('antd', 'rc-[^/]+', '@rc-component/[^/]+', '@ant-design/[^/]+', '@refinedev/antd'),
    },
    { name: 'start', priority: 36, tags: ['$initial' as const], test: own },
    {
      name: (id: string, graph: Graph) => {
        isOfConsole ??= consoleTest(graph)
        return isOfConsole(id) ? 'console' : undefined
      },
      debugName: 'console',
      priority: 35,
    },
    // Last, because a group takes along what its modules import and no other group has.
    { name: 'inputs', priority: 5, test: /\/src\/ui\/antd\// },
  ]
}
