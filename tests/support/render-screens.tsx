import { type DataProvider, type NotificationProvider, Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { QueryClient } from '@tanstack/react-query'
import { act, configure, render } from '@testing-library/react'
import { createContext, type MouseEvent, type ReactNode, StrictMode, useContext } from 'react'
import { type Location, MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router'
import { vi } from 'vitest'
import { withoutParams } from '#console/refine-router.ts'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { ActionRequest } from '#schema/wire/calls.ts'
import type { Language } from '#schema/words.ts'
import { type LinkProps, LinkProvider } from '#ui/layout/link.tsx'
import { ActionHost } from '#views/actions/action-host.tsx'
import { FormPage } from '#views/form/form-page.tsx'
import { InboxPage } from '#views/inbox/inbox-page.tsx'
import { ListPage } from '#views/list/list-page.tsx'
import { type NavigationBlock, NavigationBlockContext } from '#views/shared/navigation-blocker.ts'
import { ViewsProvider, type Widgets } from '#views/shared/view-context.tsx'
import { ShowPage } from '#views/show/show-page.tsx'
import { type Call, memoryProvider, type Tables } from './memory-provider.ts'
import { boat, sailor } from './toy-definition.ts'

/** An action as the data provider sees it. */
type RunRequest = ActionRequest & { values: unknown; quiet?: boolean }

export type ScreensOptions = {
  at: string
  tables?: Tables
  role?: Role
  language?: Language
  before?: (call: Call) => unknown
  runAction?: (request: RunRequest) => Promise<unknown>
  widgets?: Widgets
  /** Answers calls that are no action. */
  answer?: (call: { url: string; payload: unknown; signal: AbortSignal | undefined }) => unknown
  /** Instead of the toys as they are. */
  resources?: readonly AnyResource[]
}

configure({ asyncUtilTimeout: 20_000 })
vi.setConfig({ testTimeout: 60_000 })

const bareRouter = withoutParams(routerProvider)

type Here = { location: Location; go: (to: string | number) => void }

/** Holds what the tests steer the router with. */
function Steering({ here, blocks }: { here: Partial<Here>; blocks: ReadonlySet<NavigationBlock> }) {
  const navigate = useNavigate()
  here.location = useLocation()
  here.go = (to) => {
    const leave = () => void (typeof to === 'number' ? navigate(to) : navigate(to))
    if (![...blocks].some((block) => block(String(to), leave))) leave()
  }
  return null
}

const GoContext = createContext<Partial<Here>>({})

/** A link that asks the blocks before it goes, as the console's own does. */
function TestLink({ href, replace: _replace, onClick, children, ...anchor }: LinkProps) {
  const here = useContext(GoContext)
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    event.preventDefault()
    here.go?.(href)
  }
  return (
    <a {...anchor} href={href} onClick={handleClick}>
      {children}
    </a>
  )
}

/** The generated pages of the toy definitions, over a data provider in memory, from an address on. */
export function renderScreens({ at, tables = {}, role = 'admin', language = 'en', before, widgets, ...given }: ScreensOptions) {
  const definitions: Definitions = definitionsOf(given.resources ?? [boat, sailor])
  const memory = memoryProvider(tables, before)
  const runAction = vi.fn(given.runAction ?? (async () => ({})))
  const provider: DataProvider = {
    ...memory.provider,
    custom: async (params) => {
      const { payload: values, meta, url } = params
      if (url === '') return { data: Object(await runAction({ ...meta?.action, values, quiet: meta?.quiet })) }
      if (given.answer)
        return { data: Object(await given.answer({ url, payload: values, signal: meta?.queryContext?.signal })) }
      if (!memory.provider.custom) throw new Error(`${url} is not served`)
      return await memory.provider.custom(params)
    },
  }
  const notify = vi.fn()
  const notifications: NotificationProvider = { open: notify, close: () => undefined }
  const here: Partial<Here> = {}
  const blocks = new Set<NavigationBlock>()
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5000 } } })
  const register = (block: NavigationBlock) => {
    blocks.add(block)
    return () => void blocks.delete(block)
  }
  const viewer = { id: 'me', role, name: 'Erik Engineer' }
  const tree = (now: Language): ReactNode => (
    <GoContext value={here}>
      <LinkProvider component={TestLink}>
        <MemoryRouter initialEntries={[at]}>
          <Steering here={here} blocks={blocks} />
          <Refine
            dataProvider={provider}
            routerProvider={bareRouter}
            notificationProvider={notifications}
            resources={[...definitions.keys()].map((name) => ({ name }))}
            options={{ disableTelemetry: true, reactQuery: { clientConfig: client } }}
          >
            <DefinitionsProvider
              definitions={definitions}
              permissions={permissionsFor(definitions, role)}
              viewer={viewer}
              language={now}
            >
              <ViewsProvider {...(widgets ? { widgets } : {})}>
                <NavigationBlockContext value={register}>
                  <ActionHost onUnloaded={() => notify({ message: 'unloaded' })}>
                    <Routes>
                      <Route path="/boats" element={<ListPage resource="boat" />} />
                      <Route path="/boats/create" element={<FormPage resource="boat" action="create" />} />
                      <Route path="/boats/none" element={<ShowPage resource="boat" />} />
                      <Route path="/boats/:id" element={<ShowPage resource="boat" />} />
                      <Route path="/boats/:id/:tab" element={<ShowPage resource="boat" />} />
                      <Route path="/boats/:id/edit" element={<FormPage resource="boat" action="edit" />} />
                      <Route path="/inbox" element={<InboxPage />} />
                      <Route path="/sailor" element={<ListPage resource="sailor" />} />
                      <Route path="/sailor/:id" element={<ShowPage resource="sailor" />} />
                      <Route path="/sailor/:id/:tab" element={<ShowPage resource="sailor" />} />
                      <Route path="/sailor/:id/:tab/:child" element={<ShowPage resource="sailor" />} />
                      <Route path="*" element={<p>elsewhere</p>} />
                    </Routes>
                  </ActionHost>
                </NavigationBlockContext>
              </ViewsProvider>
            </DefinitionsProvider>
          </Refine>
        </MemoryRouter>
      </LinkProvider>
    </GoContext>
  )
  const view = render(<StrictMode>{tree(language)}</StrictMode>)
  return {
    ...view,
    ...memory,
    runAction,
    notify,
    client,
    address: () => `${here.location?.pathname}${here.location?.search}`,
    go: (to: string | number) => act(() => here.go?.(to)),
    blockCount: () => blocks.size,
  }
}
