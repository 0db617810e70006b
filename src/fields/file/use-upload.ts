import { useDataProvider } from '@refinedev/core'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '#fields/definitions.tsx'
import { inputWords } from '#fields/input-words.ts'
import { faultText } from '#schema/faults.ts'
import { contentFault, type FileFacts, headBytes, type StoredFile, sizeFault } from '#schema/files.ts'
import { isObject } from '#schema/is-object.ts'
import { say } from '#schema/words.ts'
import { fileInputWords } from './file-input-words.ts'
import { PendingUpload } from './pending-upload.ts'

type Upload = {
  field: FileFacts
  /** Number of files that still fit into the value. */
  room: number
  name: string
  address: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}

/** A file being uploaded, or a failed upload with its reason and the files queued behind it. */
export type Sending = { file: File; percent: number; fault?: string; rest?: readonly File[] }
export type Refused = { file: File; fault: string }

const textOf = (error: unknown, name: string): string => {
  const { errors, message } = isObject(error) ? error : {}
  const own = isObject(errors) ? errors[name] : undefined
  return String(own ?? message ?? '')
}

type Added = (before: unknown, file: StoredFile) => unknown

/** Uploads chosen files to a field, one at a time. `added` computes the next form value once a file is stored. */
export function useUpload({ field, room, name, address, value, onChange }: Upload, added: Added) {
  const dataProvider = useDataProvider()
  const language = useLanguage()
  const [sending, setSending] = useState<Sending>()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [contents, setContents] = useState<Readonly<Record<string, Blob>>>({})
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const sendOne = async (file: File, url: string, signal: AbortSignal): Promise<StoredFile> => {
    const body = new FormData()
    body.set('file', file)
    const onProgress = (share: number) => setSending({ file, percent: Math.floor(share * 100) })
    const meta = { quiet: true, onProgress, queryContext: { signal } }
    const answer = await dataProvider().custom?.<StoredFile>({ url, method: 'post', payload: body, meta: meta as never })
    if (!answer) throw new Error(say(inputWords.uploadFailed, language))
    return answer.data
  }

  const send = async (files: readonly File[]) => {
    if (!address) return
    let before = value
    const own = new AbortController()
    abort.current = own
    for (const [index, file] of files.entries()) {
      setSending({ file, percent: 0 })
      onChange(new PendingUpload(before))
      try {
        const stored = await sendOne(file, address, own.signal)
        setContents((known) => ({ ...known, [stored.id]: file }))
        before = added(before, stored)
      } catch (error) {
        onChange(before)
        const fault = textOf(error, name)
        return setSending(own.signal.aborted ? undefined : { file, percent: 0, fault, rest: files.slice(index + 1) })
      }
    }
    setSending(undefined)
    onChange(before)
  }

  const faultOf = async (file: File): Promise<string | undefined> => {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
    const fault = sizeFault(field, file.size) ?? contentFault(field, file.name, head)
    return fault && faultText({ path: name, ...fault }, language)
  }

  /** Uploads the valid files and reports the reason for each rejected one. */
  const choose = async (files: readonly File[]) => {
    const checked = await Promise.all(files.map(async (file) => ({ file, fault: await faultOf(file) })))
    const good = checked.filter(({ fault }) => fault === undefined).map(({ file }) => file)
    const tooMany = say(fileInputWords.tooMany, language, { max: room })
    setRefused([
      ...checked.flatMap(({ file, fault }) => (fault === undefined ? [] : [{ file, fault }])),
      ...good.slice(room).map((file) => ({ file, fault: tooMany })),
    ])
    if (good.length > 0) await send(good.slice(0, room))
  }
  return { sending, refused, contents, choose, send, stop: () => abort.current?.abort() }
}
