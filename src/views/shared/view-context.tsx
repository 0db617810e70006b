import { type ComponentType, createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Row } from '#fields/field-kind.ts'
import type { Filter, Sort } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import './views.css'

/** What an action is run on: see the definition language for what `$record`, `$row` and `$from` read. */
export type ActionRequest = {
  resource: string
  action: string
  id?: string | undefined
  values?: Readonly<Record<string, unknown>> | undefined
  record?: unknown
  row?: unknown
  from?: unknown
  user?: unknown
  /** Its failure is shown by the caller. */
  quiet?: boolean
}

/** Runs an action over the wire: the answer's body, or a rejection with a Problem. */
export type RunAction = (request: ActionRequest) => Promise<unknown>

/** A list as it stands on the screen, all pages of it. */
export type ExportRequest = {
  /** The name of a resource, or the path of a list below a record. */
  list: string
  filters: readonly Filter[]
  sort: readonly Sort[]
  q: string
  columns: readonly string[]
  signal: AbortSignal
  /** Bytes that have come. */
  onProgress: (bytes: number) => void
}

/** Fetches a list as a file; its failure is announced. */
export type ExportList = (request: ExportRequest) => Promise<{ name: string; content: Blob }>

/** Fetches any file of the API, by its path with the query; its failure is announced. `onProgress`: bytes that have come. */
export type ExportFile = (request: {
  path: string
  signal: AbortSignal
  onProgress: (bytes: number) => void
}) => Promise<{ name: string; content: Blob }>

/** `tab`: the one that is open. `isPartial`: only what a list's row carries is there yet. */
export type WidgetProps = { resource: AnyResource; record: Row; tab: string; isPartial: boolean }
/** What definitions name for tabs and for the place above them. */
export type Widgets = Readonly<Record<string, ComponentType<WidgetProps>>>

export type Views = {
  runAction: RunAction
  widgets: Widgets
  signInPath: string
  exportList?: ExportList | undefined
  exportFile?: ExportFile | undefined
}

const ViewsContext = createContext<Views | undefined>(undefined)

export type ViewsProviderProps = Partial<Views> & Pick<Views, 'runAction'> & { children: ReactNode }

const noWidgets: Widgets = {}

/** Gives the screens what the composition root alone knows. `signInPath`: a forced sign-out leads there without asking. */
export function ViewsProvider({
  runAction,
  exportList,
  exportFile,
  widgets = noWidgets,
  signInPath = '/login',
  children,
}: ViewsProviderProps) {
  const value = useMemo(
    () => ({ runAction, exportList, exportFile, widgets, signInPath }),
    [runAction, exportList, exportFile, widgets, signInPath],
  )
  return <ViewsContext value={value}>{children}</ViewsContext>
}

export function useViews(): Views {
  const value = useContext(ViewsContext)
  if (!value) throw new Error('useViews: no ViewsProvider above')
  return value
}
