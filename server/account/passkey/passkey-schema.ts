import { z } from 'zod'

const base64url = (max: number) => z.base64url().min(1).max(max)
/** Up to 1,023 bytes by the standard. */
const credentialId = base64url(1_400)
const envelope = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}).optional(),
}

/** Kept for the browser, which ignores unknown ones, since new transports may appear. */
const transports = z.string().regex(/^[a-z-]{1,32}$/)

/** Registration response of a device, in the standard's JSON form. */
export const attestationSchema = z.strictObject({
  ...envelope,
  response: z.strictObject({
    clientDataJSON: base64url(2_000),
    attestationObject: base64url(6_000),
    authenticatorData: base64url(4_000).optional(),
    publicKey: base64url(2_000).optional(),
    publicKeyAlgorithm: z.int().optional(),
    transports: z.array(transports).max(8).optional(),
  }),
})
export type Attestation = z.infer<typeof attestationSchema>

/** Authentication response of a device. */
export const assertionSchema = z.strictObject({
  ...envelope,
  response: z.strictObject({
    clientDataJSON: base64url(2_000),
    authenticatorData: base64url(2_000),
    signature: base64url(2_000),
    userHandle: base64url(100).optional(),
  }),
})
export type Assertion = z.infer<typeof assertionSchema>

/** Options for the browser, in the standard's JSON form. */
export const optionsSchema = z.looseObject({ challenge: z.string() })
