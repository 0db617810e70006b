import { useCallback } from 'react'
import { usePermissions, useRuleContext } from '#fields/definitions.tsx'
import type { ActionContext } from './action-offer.ts'

/** The viewer and the current time, for rules. */
export function useActionContext(): () => ActionContext {
  const permissions = usePermissions()
  const ruleContext = useRuleContext()
  return useCallback(() => ({ permissions, context: ruleContext() }), [permissions, ruleContext])
}
