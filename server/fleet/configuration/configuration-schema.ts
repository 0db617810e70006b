import { z } from 'zod'
import type { Fields } from '#schema/field-types.ts'
import { answerSchema } from '#schema/record-schema.ts'
import { schemaNames } from '#server/engine/routes/route-schemas.ts'
import { refusals } from './configuration-access.ts'

const time = z.string().meta({ format: 'date-time' })
const version = z.int().min(1)
const values = z.record(z.string(), z.unknown())
const person = z.object({ id: z.string(), name: z.string() }).nullable()
const refusal = z.enum(refusals).nullable()

const asked = {
  requestedAt: time,
  requestedBy: z.string().nullable().meta({ description: 'Id of who asked; null = the server itself' }),
  requestedByRef: person,
}

/** Answer of GET /control-pcb/{id}/configuration, for the API description. */
export function envelopeSchema(fields: Fields): z.ZodType {
  const desired = answerSchema(fields)
  schemaNames.set(desired, 'ConfigurationValues')
  const entry = z.object({
    version,
    ...asked,
    reason: z.string().nullable(),
    outcome: z
      .enum(['APPLIED', 'REJECTED', 'PENDING', 'REPLACED'])
      .meta({ description: 'REPLACED: a newer version came before the board had taken it' }),
    outcomeAt: time.nullable().meta({ description: 'When the board took or refused it' }),
    rejectReason: z.string().nullable(),
    desired: values,
  })
  const schema = z.object({
    desired,
    reported: values.nullable().meta({ description: 'What the board runs with; null = it has not said yet' }),
    desiredVersion: version,
    reportedVersion: z.int().nullable(),
    state: z
      .enum(['IN_SYNC', 'PENDING', 'REJECTED', 'DRIFTED'])
      .meta({ description: 'DRIFTED: acknowledged, and yet the board runs with something else' }),
    ...asked,
    appliedAt: time.nullable().meta({ description: 'When the board took what it runs with' }),
    rejectReason: z.string().nullable().meta({ description: 'The words of the board that refused the desired version' }),
    pendingSince: time.nullable(),
    pendingForS: z.int().min(0).nullable().meta({ description: 'Age of what waits, in seconds' }),
    drift: z.array(z.string()).meta({
      description:
        'Fields that the board runs with otherwise than desired; thresholds of warnings are the server’s own and never among them',
    }),
    defaults: values.meta({ description: 'Default of each field, at the ESS of the board' }),
    access: z.object({ edit: refusal }).meta({ description: 'Why the caller may not change it; null = he may' }),
    danger: z.object({ fields: z.array(z.string()), refusal }).meta({
      description: 'Fields that can hurt: why the caller may not change them; null = he may, by typing the code of the board',
    }),
    history: z.array(entry).meta({ description: 'Versions, newest first' }),
  })
  schemaNames.set(schema, 'Configuration')
  return schema
}
