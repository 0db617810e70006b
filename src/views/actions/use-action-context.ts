import { useCallback } from 'react'
import { usePermissions, useRuleContext } from '#fields/definitions.tsx'
import type { Asker } from './action-offer.ts'

/** Who looks, at this moment: rules may compare with the time. */
export function useAsker(): () => Asker {
  const permissions = usePermissions()
  const ruleContext = useRuleContext()
  return useCallback(() => ({ permissions, context: ruleContext() }), [permissions, ruleContext])
}
