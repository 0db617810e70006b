import { z } from 'zod'
import { fleetStaff } from '#schema/roles.ts'
import { say } from '#schema/words.ts'
import { languageOf, problem } from '#server/base/problems.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { candidateOf, isInstalled, preChecksFor, updateKindOf } from './pre-checks.ts'

const mostBoards = 200

const ids = z.union([z.string(), z.array(z.string()).max(mostBoards)]).transform((given) => [given].flat())
const querystring = z.strictObject({ controlPcbId: ids, firmwareId: z.string().max(64) })

const result = z.object({
  controlPcbId: z.string(),
  code: z.string().meta({ description: 'Code of the board' }),
  ok: z.boolean().meta({ description: 'A request would be taken' }),
  skipped: z.boolean().meta({ description: 'The board runs this version already: nothing is wrong with it' }),
  kind: z.enum(['UPGRADE', 'DOWNGRADE', 'REINSTALL']),
  checks: z.array(
    z.object({
      code: z.string(),
      ok: z.boolean(),
      text: z.string().meta({ description: 'What is asked for, in the language of the request' }),
      obstacle: z.string().optional().meta({ description: 'What stands in the way, where it is not passed' }),
      found: z.string().meta({ description: 'What there is' }),
      overridable: z
        .boolean()
        .meta({ description: 'The caller may pass over it with a reason: `overrideReason` of the request' }),
      links: z
        .array(z.object({ resource: z.string(), id: z.string(), text: z.string() }))
        .meta({ description: 'Records to look at' }),
    }),
  ),
})

/** Obstacles of an update by board, before it is requested; the request applies the same checks. */
export const preCheckRoute: NonNullable<ResourceRules['routes']> = (api, { withoutTransaction }) => {
  const summary = 'What stands in the way of an update, per board'
  const schema = { summary, tags: ['firmware-update'], querystring, response: { 200: z.array(result) } }
  api.get('/firmware-update/pre-check', { schema, config: { access: fleetStaff } }, (request) =>
    withoutTransaction(request, async ({ db, caller }) => {
      const language = languageOf(request)
      const results = []
      for (const controlPcbId of request.query.controlPcbId) {
        const candidate = await candidateOf(db, controlPcbId, request.query.firmwareId)
        if (!candidate) throw problem('not-found')
        const found = await preChecksFor(db, candidate, caller)
        results.push({
          controlPcbId,
          code: candidate.code,
          ok: found.every(({ ok }) => ok),
          skipped: isInstalled(candidate),
          kind: updateKindOf(candidate),
          checks: found.map(({ code, ok, overridable, obstacle, ...check }) => ({
            code,
            ok,
            overridable,
            text: say(check.text, language),
            ...(ok || !obstacle ? {} : { obstacle: say(obstacle, language) }),
            found: say(check.found, language),
            links: check.links.map(({ text, ...link }) => ({ ...link, text: say(text, language) })),
          })),
        })
      }
      return results
    }),
  )
}
