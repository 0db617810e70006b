import { whenIdle } from './ui/layout/when-idle.ts'

/** The code of the generated screens, each fetched when the first page of its kind is about to be opened. */
export const screenChunks = {
  list: () => import('./views/list/list-page.tsx'),
  show: () => import('./views/show/show-page.tsx'),
  form: () => import('./views/form/form-page.tsx'),
}

type Chunk = keyof typeof screenChunks

/** Addresses outside the definitions; they need none of these. */
const own = new Set(['', 'profile', 'filling', 'login', 'about', 'support'])

function chunksOf(pathname: string): Chunk[] {
  const [section = '', id, part] = pathname.split('/').filter(Boolean)
  if (own.has(section)) return []
  if (!id) return ['list']
  if (id === 'create' || part === 'edit') return ['form']
  // A tab of a record may be a list.
  return part ? ['show', 'list'] : ['show']
}

/** Asks for the code of an address beside everything else that a start needs, not after it. */
export function preloadScreen(pathname: string): void {
  // A failure is shown where the page is opened, which asks again.
  for (const chunk of chunksOf(pathname)) screenChunks[chunk]().catch(() => undefined)
}

/** The other screens: the next click finds them there. */
export function preloadRest(): void {
  whenIdle(() => {
    for (const load of Object.values(screenChunks)) load().catch(() => undefined)
  })
}
