import { z } from 'zod'
import { problemSchema } from '#server/engine/routes/route-schemas.ts'
import type { Json, Schemas } from './described-schemas.ts'

const meaningOf: Record<string, string> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken',
  204: 'Done, nothing to tell',
  206: 'A part',
}
const total = { 'X-Total-Count': { description: 'How many rows there are in all', schema: { type: 'integer', minimum: 0 } } }

type Content = Record<string, { schema: unknown }>
const contentOf = (answer: unknown): Content | undefined => Reflect.get(Object(answer), 'content')

/** A non-JSON response, for `response` of a route's schema. */
export const fileAnswer = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: z.unknown().meta({ type: 'string' }) } },
})

/** Headers of a download that goes on where it was cut. */
export const rangeHeaders = {
  Range: 'One part of the file, like `bytes=1000-`: 206 answers it',
  'If-Range': 'The ETag of the file, with its double quotes; with another one the whole file is answered',
} as const

function answerOf(status: string, schema: unknown, schemas: Schemas): Json {
  const description = meaningOf[status] ?? 'Answer'
  if (status === '204' || schema instanceof z.ZodNull) return { description }
  const content = contentOf(schema)
  if (content) {
    const shown = Object.entries(content).map(([type, one]) => [type, { schema: schemas.of(one.schema) }])
    return { description: Reflect.get(Object(schema), 'description') ?? description, content: Object.fromEntries(shown) }
  }
  const headers = schema instanceof z.ZodArray ? { headers: total } : {}
  return { description, ...headers, content: { 'application/json': { schema: schemas.of(schema) } } }
}

/** All responses of a call by status; every problem has the same shape. */
export function answersOf(schema: Json, schemas: Schemas): Json {
  const declared = Object.entries((schema.response ?? {}) as Json)
  const own = declared.length > 0 ? declared : [['200', {}] as const]
  const refusal = { description: 'Refused', content: { 'application/json': { schema: schemas.of(problemSchema) } } }
  return { ...Object.fromEntries(own.map(([status, answer]) => [status, answerOf(status, answer, schemas)])), default: refusal }
}
