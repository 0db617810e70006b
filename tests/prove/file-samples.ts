import { deflateRawSync } from 'node:zlib'
import { faultText } from '#schema/faults.ts'
import { acceptParts, claimedType, contentFault, type FileFacts, fileTypes, sizeFault, usualFileBytes } from '#schema/files.ts'
import { say } from '#schema/words.ts'
import { problemTable as problems } from '#server/base/problem-table.ts'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { onePixel } from '#tests/support/image-bytes.ts'

export type SampleFile = { name: string; content: Buffer }

const hardwareRevisions = ['A', 'B', 'C', 'D'].flatMap((letter) => [1, 2, 3, 4, 5, 6, 7, 8].map((digit) => `${letter}${digit}`))

/** Files of resources whose rules read them: a row per definition with a file that is sent alone. */
const ownFiles: Readonly<Record<string, (seed: number) => Buffer>> = {
  firmware: (seed) => buildImage({ firmwareVersion: `1.${seed}.0`, hardwareRevisions, payload: Buffer.from(`image ${seed}`) }),
}

/** First bytes of a type, dots filled with zeros. */
const startOf = (type: string) => Buffer.from((fileTypes[type]?.starts?.[0] ?? '').replaceAll('.', '0'), 'hex')

/** Bytes of the type that its first bytes agree with; two of them differ. */
function bytesOf(type: string, seed: number): Buffer {
  if (type === 'application/json') return Buffer.from(JSON.stringify({ seed }))
  const tail = Buffer.from(`sample ${seed}\n`)
  if (type === 'image/png') return Buffer.concat([onePixel, tail])
  if (type === 'application/gzip') return Buffer.concat([startOf(type), deflateRawSync(tail)])
  return Buffer.concat([startOf(type), tail])
}

const endingsOf = (part: string): string[] => {
  if (part.startsWith('.')) return [part.slice(1)]
  const types = Object.entries(fileTypes).filter(([type]) =>
    part.endsWith('/*') ? type.startsWith(part.slice(0, -1)) : type === part,
  )
  return types.flatMap(([, { endings }]) => endings.slice(0, 1))
}

/** A small real file that the facts of a field allow; undefined where they name no type that samples are known of. */
export function fileSample(facts: FileFacts, seed: number, of?: string): SampleFile | undefined {
  const endings = facts.accept === undefined ? ['txt'] : acceptParts(facts.accept).flatMap(endingsOf)
  const own = of === undefined ? undefined : ownFiles[of]
  const files = endings.map((ending) => {
    const name = `sample-${seed}.${ending}`
    return { name, content: own?.(seed) ?? bytesOf(claimedType(name), seed) }
  })
  return files.find(
    ({ name, content }) => !contentFault(facts, name, content) && content.length <= (facts.maxBytes ?? usualFileBytes),
  )
}

/** A file that a field does not take. `says`: the sentence that its refusal has at the field. */
export type WrongFile = { what: string; file: SampleFile; status: number; says: string }

const strangeEndings = ['exe', 'txt', 'png']
/** The beginning of no type that is known by its content. */
const lie = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7])

/** Files that the facts of a field do not allow. */
export function wrongFiles(facts: FileFacts, { name, content }: SampleFile): WrongFile[] {
  const { maxBytes = usualFileBytes } = facts
  const large = Buffer.concat([content, Buffer.alloc(maxBytes + 1 - content.length, 'x')])
  const renamed = strangeEndings.map((ending) => `sample.${ending}`)
  const strange = renamed.find((other) => contentFault(facts, other, content)?.code === 'file-type')
  const isKnown = contentFault(facts, name, lie)?.code === 'file-content'
  const files: [string, SampleFile | undefined][] = [
    ['an empty one', { name, content: Buffer.alloc(0) }],
    ['one that is too large', { name, content: large }],
    ['one of a forbidden type', strange === undefined ? undefined : { name: strange, content }],
    ['one that is not what its name says', isKnown ? { name, content: lie } : undefined],
  ]
  return files.flatMap(([what, file]) => {
    const fault = file && (sizeFault(facts, file.content.length) ?? contentFault(facts, file.name, file.content))
    if (!file || !fault) return []
    const isLarge = fault.code === 'file-too-big'
    const says = isLarge ? say(problems['file.too-large'].text, 'en') : faultText({ path: '', ...fault }, 'en')
    return [{ what, file, status: isLarge ? 413 : 400, says }]
  })
}
