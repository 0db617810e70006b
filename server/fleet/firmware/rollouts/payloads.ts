import type { PayloadKind } from '#server/fleet/firmware/waves/rollout-store.ts'
import { firmwarePayload } from './firmware-payload.ts'
import type { Payload } from './payload.ts'
import { templatePayload } from './template-payload.ts'

/** Payloads by what a rollout brings. */
export const payloads: Readonly<Record<PayloadKind, Payload>> = {
  FIRMWARE: firmwarePayload,
  CONFIGURATION: templatePayload,
}

const isKind = (value: unknown): value is PayloadKind => typeof value === 'string' && Object.hasOwn(payloads, value)

/** The payload of a form's values; firmware unless they say otherwise. */
export const payloadFor = (brings: unknown): Payload => payloads[isKind(brings) ? brings : 'FIRMWARE']
