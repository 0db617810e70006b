const block = 512
const nameBytes = 100
/** Limit of eleven octal digits; larger sizes are written in binary, as GNU tar does. */
const octalMax = 8 ** 11

export type TarEntry = {
  /** Relative path with slashes; a folder ends with one. */
  name: string
  bytes: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}
export type TarHead = Pick<TarEntry, 'name' | 'bytes'>

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

function sizeField(bytes: number): Buffer {
  if (bytes < octalMax) return Buffer.from(octal(bytes, 11))
  const field = Buffer.alloc(12)
  field[0] = 0x80
  field.writeBigUInt64BE(BigInt(bytes), 4)
  return field
}

const sumOf = (head: Buffer) => head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)

function headOf({ name, bytes }: TarHead): Buffer {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`The file name ${name} is too long for a backup`)
  const isFolder = name.endsWith('/')
  const head = Buffer.alloc(block)
  head.write(name, 0)
  head.write(octal(isFolder ? 0o700 : 0o600, 7), 100)
  head.write(octal(0, 7), 108)
  head.write(octal(0, 7), 116)
  sizeField(bytes).copy(head, 124)
  head.write(octal(0, 11), 136)
  head.write(isFolder ? '5' : '0', 156)
  head.write('ustar\x0000', 257)
  head.write(`${octal(sumOf(head), 6)} `, 148)
  return head
}

const padding = (bytes: number) => Buffer.alloc((block - (bytes % block)) % block)

/** Streams a tar archive. Throws when a file's size differs from the declared one, which would shift all following entries. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes, content } of entries) {
    yield headOf({ name, bytes })
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      yield chunk
    }
    if (written !== bytes) throw new Error(`The file ${name} changed while it was read`)
    yield padding(bytes)
  }
  yield Buffer.alloc(2 * block)
}

/** The archive is truncated or not one of ours. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Yields exactly the given number of bytes. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    let missing = bytes
    while (missing > 0) {
      if (this.#held.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done) throw new DamagedArchive('the file is cut off')
        this.#held = value
      }
      const piece = this.#held.subarray(0, missing)
      this.#held = this.#held.subarray(piece.length)
      missing -= piece.length
      if (piece.length > 0) yield piece
    }
  }

  async buffer(bytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.take(bytes)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  /** Reads to the end: only then a compressed stream verifies its checksum. */
  async drain(): Promise<void> {
    for (;;) if ((await this.#chunks.next()).done) return
  }
}

function readHead(head: Buffer): TarHead {
  const text = (from: number, length: number) => head.toString('utf8', from, from + length).split('\0', 1)[0] ?? ''
  if (Number.parseInt(text(148, 8), 8) !== sumOf(head)) throw new DamagedArchive('a header has a wrong checksum')
  const size = head[124] === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8)
  return { name: text(0, nameBytes), bytes: size }
}

/** Passes each entry of a tar archive to `take`, which must read its content to the end. */
export async function readTar(
  archive: AsyncIterable<Uint8Array>,
  take: (head: TarHead, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const source = new ByteSource(archive)
  for (;;) {
    const head = await source.buffer(block)
    if (head.every((byte) => byte === 0)) return source.drain()
    const entry = readHead(head)
    await take(entry, source.take(entry.bytes))
    await source.buffer(padding(entry.bytes).length)
  }
}
