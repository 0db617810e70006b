import { createHash } from 'node:crypto'
import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive, written piece by piece. */
export type ZipEntry = { name: string; pieces: AsyncIterable<string> | Iterable<string> }
/** Size and checksum of a file, for the table of contents. */
export type WrittenFile = { name: string; bytes: number; sha256: string }

const nothing = new Uint8Array(0)

/**
 * Streaming ZIP: only the current chunk is in memory. Entries are requested one after the other, so the last can list the
 * previous ones: `written` grows as they finish.
 */
export async function* zipOf(entries: Iterable<() => ZipEntry>, written: WrittenFile[], at: Date): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for (const entry of entries) {
    const { name, pieces } = entry()
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = at
    zip.add(file)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const piece of pieces) {
      const content = Buffer.from(piece)
      hash.update(content)
      bytes += content.length
      file.push(content)
      yield* ready.splice(0)
    }
    file.push(nothing, true)
    yield* ready.splice(0)
    written.push({ name, bytes, sha256: hash.digest('hex') })
  }
  zip.end()
  yield* ready.splice(0)
}
