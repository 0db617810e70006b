import { type ComponentType, createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { ExportFile, ExportList } from '#schema/wire/calls.ts'
import './views.css'

/** `tab`: the open one. `isPartial`: only the list row is loaded. */
export type WidgetProps = { resource: AnyResource; record: Row; tab: string; isPartial: boolean }
/** A widget whose code is fetched when it is drawn, or before by `load`. */
export type Widget = ComponentType<WidgetProps> & { load?: () => Promise<unknown> }
/** Widgets by name, for tabs and the record's head. */
export type Widgets = Readonly<Record<string, Widget>>

export type Views = {
  widgets: Widgets
  signInPath: string
  exportList?: ExportList | undefined
  exportFile?: ExportFile | undefined
}

const ViewsContext = createContext<Views | undefined>(undefined)

export type ViewsProviderProps = Partial<Views> & { children: ReactNode }

const noWidgets: Widgets = {}

/** Provides what only the composition root knows. `signInPath`: a forced sign-out navigates there without asking. */
export function ViewsProvider({
  exportList,
  exportFile,
  widgets = noWidgets,
  signInPath = '/login',
  children,
}: ViewsProviderProps) {
  const value = useMemo(() => ({ exportList, exportFile, widgets, signInPath }), [exportList, exportFile, widgets, signInPath])
  return <ViewsContext value={value}>{children}</ViewsContext>
}

/** Services and widgets of the generated screens; throws outside the provider. */
export function useViews(): Views {
  const value = useContext(ViewsContext)
  if (!value) throw new Error('useViews: no ViewsProvider above')
  return value
}
