import type { AnyResource } from '#schema/resource.ts'
import type { Json } from './proven.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Call = { as?: string; body?: unknown; headers?: Record<string, string> }
export type Reply = { status: number; body: Json; rows: Json[]; text: string }

/**
 * The API of a server, called in the name of a role: in the same process, or of a server that runs. `write`: stored values
 * that no form takes, written past the API where the database is at hand.
 */
export type Transport = {
  call(method: Method, path: string, options?: Call): Promise<Reply>
  write?(of: AnyResource, id: unknown, values: Json): Promise<void>
}

/** Names of the fields that a refusal names. */
export const faultsIn = ({ body }: { body: Json }): string[] => Object.keys(Object(body.fields))

/** Stable code of the refusal. */
export const codeOf = ({ status, body }: Reply): string => String(body.code ?? status)

/** A record that cannot be made, or a choice that is not there: a check has no ground, and the reason is a sentence. */
export class Unmade extends Error {}
