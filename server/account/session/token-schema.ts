import { z } from 'zod'
import { roles } from '#schema/roles.ts'
import { languages } from '#schema/words.ts'

export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  firstName: z.string(),
  lastName: z.string(),
  language: z.enum(languages).nullable(),
  timezone: z.string().nullable(),
})
/** Answer of a completed sign-in. */
export const tokenSchema = z.object({ accessToken: z.string(), accessTokenExpired: z.int(), user: userSchema })
/** Answer of a correct password when a second factor is required. */
export const challengeSchema = z.object({
  challenge: z.string(),
  expiresAt: z.string(),
  step: z.enum(['code', 'enrol']),
  ways: z.array(z.enum(['app', 'passkey'])),
})
