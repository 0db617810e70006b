import { Transform } from 'node:stream'
import { MIMEType } from 'node:util'

/** A boundary by RFC 2046. */
const allowedBoundary = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/** Boundary of a multipart body; empty when missing or invalid, undefined for another content type. */
export function boundaryOf(contentType = ''): string | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    return allowedBoundary.test(boundary) ? boundary : ''
  } catch {
    return ''
  }
}

/** One file has two; two more let the parser explain an extra part. */
const mostDelimiters = 4

/**
 * Passes a body to its parser until it has more parts than an upload. The parser creates a stream per part even beyond its own
 * limit: 1 MiB of empty parts would block the server for seconds, while a search for delimiters takes a millisecond.
 */
export function multipartGuard(boundary: string): Transform {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // The first delimiter may be at the very start, without a line break.
  let tail: Buffer = Buffer.from('\r\n')
  let count = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const seen = Buffer.concat([tail, chunk])
      for (let at = seen.indexOf(delimiter); at >= 0; at = seen.indexOf(delimiter, at + delimiter.length))
        if (++count > mostDelimiters) return done(new Error('more parts than an upload has'))
      tail = seen.subarray(1 - delimiter.length)
      done(null, chunk)
    },
  })
}
