/** A new idempotency key: the server executes a POST with it once. */
export const newOnceKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
