import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 base64url characters: the secret of a session or a mailed link. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a token. It has 256 random bits, so a plain hash is sufficient. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/i

/** The token of an Authorization header; undefined when malformed. */
export const bearerToken = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]
