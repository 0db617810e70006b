import { useDataProvider } from '@refinedev/core'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '#fields/definitions.tsx'
import { inputWords } from '#fields/input-words.ts'
import { faultText } from '#schema/faults.ts'
import { contentFault, type FileFacts, headBytes, type StoredFile, sizeFault } from '#schema/files.ts'
import { isObject } from '#schema/is-object.ts'
import { say } from '#schema/words.ts'
import { PendingUpload } from './pending-upload.ts'

type Upload = {
  field: FileFacts
  name: string
  address: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}

/** A file on its way, or one that did not arrive, with the reason. */
export type Sending = { file: File; percent: number; fault?: string | undefined; isHopeless?: boolean }

const textOf = (error: unknown, name: string): string => {
  const { errors, message } = isObject(error) ? error : {}
  const own = isObject(errors) ? errors[name] : undefined
  return String(own ?? message ?? '')
}

/** Sends chosen files to a field, one at a time. `added` gives the next value of the form once a file is stored. */
export function useUpload({ field, name, address, value, onChange }: Upload, added: (file: StoredFile) => unknown) {
  const dataProvider = useDataProvider()
  const language = useLanguage()
  const [sending, setSending] = useState<Sending>()
  const [contents, setContents] = useState<Readonly<Record<string, Blob>>>({})
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const send = async (file: File, url: string, signal: AbortSignal): Promise<StoredFile> => {
    const body = new FormData()
    body.set('file', file)
    const onProgress = (share: number) => setSending({ file, percent: Math.floor(share * 100) })
    const meta = { quiet: true, onProgress, queryContext: { signal } }
    const answer = await dataProvider().custom?.<StoredFile>({ url, method: 'post', payload: body, meta: meta as never })
    if (!answer) throw new Error(say(inputWords.uploadFailed, language))
    return answer.data
  }

  const choose = async (file: File) => {
    if (!address) return
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
    const fault = sizeFault(field, file.size) ?? contentFault(field, file.name, head)
    if (fault) return setSending({ file, percent: 0, fault: faultText({ path: name, ...fault }, language), isHopeless: true })
    const before = value
    const own = new AbortController()
    abort.current = own
    setSending({ file, percent: 0 })
    onChange(new PendingUpload(before))
    try {
      const stored = await send(file, address, own.signal)
      setContents((known) => ({ ...known, [stored.id]: file }))
      setSending(undefined)
      onChange(added(stored))
    } catch (error) {
      onChange(before)
      setSending(own.signal.aborted ? undefined : { file, percent: 0, fault: textOf(error, name) })
    }
  }
  return { sending, contents, choose, stop: () => abort.current?.abort() }
}
