import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '#fields/definitions.tsx'
import { formatBytes } from '#schema/format/format.ts'

type Way = { signal: AbortSignal; onProgress: (bytes: number) => void }
type Load = (way: Way) => Promise<{ name: string; content: Blob }>

/** Downloads a file; leaving the page aborts it. `progress`: share received so far. */
export function useDownload() {
  const language = useLanguage()
  const [bytes, setBytes] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async (load: Load) => {
    const control = new AbortController()
    running.current = control
    const { signal } = control
    setBytes(0)
    try {
      const [{ name, content }, { saveFile }] = await Promise.all([
        load({ signal, onProgress: setBytes }),
        import('#ui/input/save-file.ts'),
      ])
      if (!signal.aborted) saveFile(name, content)
    } catch {
      // The API client has shown the error.
    } finally {
      setBytes(undefined)
    }
  }
  return { isBusy: bytes !== undefined, progress: bytes ? ` · ${formatBytes(bytes, language)}` : '', save }
}
