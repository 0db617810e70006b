import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react'
import type { Definitions } from '#schema/definition.ts'
import type { MessageValues } from '#schema/format/message.ts'
import { presentIso } from '#schema/format/present-time.ts'
import { isAllowed, type Permissions, permissionsIn, type ResourcePermissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { RuleContext } from '#schema/rule.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import './fields.css'

/** The signed-in person; `name` is known to the session of everybody, also of those who may not list people. */
export type Viewer = RuleContext['user'] & { name?: string }

/** Context of every generated screen; `zone` is an IANA name, absent = the browser's. */
export type Console = {
  definitions: Definitions
  permissions: Permissions
  viewer: Viewer
  language: Language
  zone?: string | undefined
}

const ConsoleContext = createContext<Console | undefined>(undefined)

export type DefinitionsProviderProps = Console & { children: ReactNode }

/** Provides the definitions, the viewer with the permission snapshot, and the language. */
export function DefinitionsProvider({ definitions, permissions, viewer, language, zone, children }: DefinitionsProviderProps) {
  const value = useMemo(
    () => ({ definitions, permissions, viewer, language, zone }),
    [definitions, permissions, viewer, language, zone],
  )
  return <ConsoleContext value={value}>{children}</ConsoleContext>
}

/** The whole context; throws outside the provider. */
export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('useConsole: no DefinitionsProvider above')
  return value
}

export const useDefinitions = (): Definitions => useConsole().definitions

/** The definition of a resource that must exist; throws for an unknown name. */
export function useDefinition(name: string): AnyResource {
  const found = useDefinitions().get(name)
  if (!found) throw new Error(`useDefinition: no resource "${name}"`)
  return found
}

export const useLanguage = (): Language => useConsole().language
export const useViewer = (): Viewer => useConsole().viewer
export const usePermissions = (): Permissions => useConsole().permissions

/** Permissions of the viewer on one resource. */
export const useResourcePermissions = (name: string): ResourcePermissions => permissionsIn(usePermissions(), name)

/** A synchronous check against the permission snapshot: `may('client', 'show')`. */
export function useMay(): (resource: string, action: string) => boolean {
  const permissions = usePermissions()
  return useCallback((resource, action) => isAllowed(permissions, resource, action), [permissions])
}

/** The text of a label in the viewer's language, with the values of its placeholders. */
export function useSay(): (label: Label, values?: MessageValues) => string {
  const language = useLanguage()
  return useCallback((label, values) => say(label, language, values), [language])
}

/** Context of rules: the viewer and the current time. */
export function useRuleContext(): () => RuleContext {
  const viewer = useViewer()
  return useCallback(() => ({ user: viewer, now: presentIso() }), [viewer])
}
