import { Transform } from 'node:stream'
import { MIMEType } from 'node:util'

/** A boundary as RFC 2046 has it. */
const allowedBoundary = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/** The boundary of a multipart body; empty when it has none that is allowed, undefined for another kind of body. */
export function boundaryOf(contentType = ''): string | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    return allowedBoundary.test(boundary) ? boundary : ''
  } catch {
    return ''
  }
}

/** One file has two; two more let the parser say what is wrong with a second part. */
const mostDelimiters = 4

/**
 * Lets a body through to its parser until it has more parts than an upload. The parser makes a stream for each part, beyond its own limit
 * too: 1 MiB of empty parts would hold up the server for seconds, while a search for delimiters takes a millisecond.
 */
export function multipartGuard(boundary: string): Transform {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // The first delimiter may stand at the very beginning, without its line break.
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
