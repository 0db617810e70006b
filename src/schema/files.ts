import type { Fault } from './faults.ts'

/** A stored file as part of a record. A request names it by id; the rest is read from the file. */
export type StoredFile = { id: string; name: string; type: string; sizeBytes: number; sha256: string }

/** Facts of a field that holds files. */
export type FileFacts = {
  /** Maximum size of one file; default 10 MB, at most 16 MiB. */
  maxBytes?: number
  /** Endings and types as in the `accept` attribute, `.csv,image/*`; default: any file. */
  accept?: string
}

/** Limit for all files: they are held in memory before they are stored. */
export const largestFileBytes = 16 * 1024 * 1024
/** Default limit of a field. */
export const usualFileBytes = 10 * 1024 * 1024
export const mostFiles = 20

/** Enough bytes to detect a type by its magic number, and a sample of a text. */
export const headBytes = 4096

type FileType = {
  endings: readonly string[]
  /** Magic number in hexadecimal; a dot matches any digit. */
  starts?: readonly string[]
  /** Has no magic number, but must be text. */
  text?: true
  /** A raster image: safe to display, since it contains no scripts. */
  preview?: true
}

const zip = ['504b0304', '504b0506']

/** File types detected by content. Any other file is `application/octet-stream`. */
export const fileTypes: Readonly<Record<string, FileType>> = {
  'image/png': { endings: ['png'], starts: ['89504e470d0a1a0a'], preview: true },
  'image/jpeg': { endings: ['jpg', 'jpeg'], starts: ['ffd8ff'], preview: true },
  'image/gif': { endings: ['gif'], starts: ['474946383761', '474946383961'], preview: true },
  'image/webp': { endings: ['webp'], starts: ['52494646........57454250'], preview: true },
  'application/pdf': { endings: ['pdf'], starts: ['255044462d'] },
  'application/zip': { endings: ['zip'], starts: zip },
  'application/gzip': { endings: ['gz', 'tgz'], starts: ['1f8b'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { endings: ['docx'], starts: zip },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { endings: ['xlsx'], starts: zip },
  'application/vnd.oasis.opendocument.text': { endings: ['odt'], starts: zip },
  'application/vnd.oasis.opendocument.spreadsheet': { endings: ['ods'], starts: zip },
  'text/plain': { endings: ['txt', 'log'], text: true },
  'text/csv': { endings: ['csv'], text: true },
  'application/json': { endings: ['json'], text: true },
}

const anyType = 'application/octet-stream'
const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The type by the file's ending. */
export const claimedType = (name: string): string =>
  Object.entries(fileTypes).find(([, { endings }]) => endings.includes(endingOf(name)))?.[0] ?? anyType

export const hasPreview = (type: unknown): boolean => fileTypes[String(type)]?.preview === true

/** Parts of `accept`: endings with their dot, types, and wildcard types. */
export const acceptParts = (accept: string): string[] =>
  accept
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean)

/** True for a file whose name is of one of the kinds. */
export const isAccepted = (accept: string | undefined, name: string) => {
  if (accept === undefined) return true
  const type = claimedType(name)
  const fits = (part: string) => {
    if (part.startsWith('.')) return name.toLowerCase().endsWith(part)
    return part.endsWith('/*') ? type.startsWith(part.slice(0, -1)) : part === type
  }
  return acceptParts(accept).some(fits)
}

const hexOf = (bytes: Uint8Array) => [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** True for valid UTF-8 text; the last character may be cut off. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** False when the magic number contradicts the file's ending. */
function keepsItsName(name: string, head: Uint8Array): boolean {
  const { starts, text } = fileTypes[claimedType(name)] ?? {}
  if (text) return isText(head)
  const start = hexOf(head)
  return !starts || starts.some((pattern) => new RegExp(`^${pattern}`).test(start))
}

/** First fault of a file by name and first bytes; used on both ends. */
export function contentFault(field: FileFacts, name: string, head: Uint8Array): Omit<Fault, 'path'> | undefined {
  if (!isAccepted(field.accept, name)) return { code: 'file-type', params: { accept: field.accept ?? '' } }
  return keepsItsName(name, head) ? undefined : { code: 'file-content' }
}

export function sizeFault({ maxBytes = usualFileBytes }: FileFacts, sizeBytes: number): Omit<Fault, 'path'> | undefined {
  if (sizeBytes === 0) return { code: 'file-empty' }
  return sizeBytes > maxBytes ? { code: 'file-too-big', params: { maxBytes } } : undefined
}
