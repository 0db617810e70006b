import { useCallback } from 'react'
import { usePermissions, useRuleContext } from '#fields/definitions.tsx'
import type { Asker } from './action-offer.ts'

/** The viewer and the current time, for rules. */
export function useAsker(): () => Asker {
  const permissions = usePermissions()
  const ruleContext = useRuleContext()
  return useCallback(() => ({ permissions, context: ruleContext() }), [permissions, ruleContext])
}
