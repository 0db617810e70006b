import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'

export type Manifest = {
  code: string
  from: string
  until: string
  isWhole: boolean
  counts: Record<string, number>
  files: { name: string; bytes: number; sha256: string }[]
}

/** The files of an archive as text, with the list of contents and what it says that is not so. */
export function readZip(archive: Uint8Array) {
  const files = unzipSync(archive)
  const bytesOf = (name: string): Uint8Array => {
    const file = files[name]
    if (!file) throw new Error(`there is no ${name}, but ${Object.keys(files).join(', ')}`)
    return file
  }
  const text = (name: string) => strFromU8(bytesOf(name))
  const manifest: Manifest = JSON.parse(text('manifest.json'))
  const digest = (name: string) => createHash('sha256').update(bytesOf(name)).digest('hex')
  const untrue = manifest.files.filter(({ name, bytes, sha256 }) => bytesOf(name).length !== bytes || digest(name) !== sha256)
  return { names: Object.keys(files).sort(), text, manifest, untrue: untrue.map(({ name }) => name) }
}
