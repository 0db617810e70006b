import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 letters of base64url: what a session or a mailed link is proved by. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored digest of a token. It has 256 random bits, so a plain digest is enough. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/i

/** The token of an Authorization header; undefined when there is none of our form. */
export const bearerToken = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]
