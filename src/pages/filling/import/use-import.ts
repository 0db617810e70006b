import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { useCall } from '#pages/filling/use-call.ts'
import { guessColumns, importColumns, importedBy, importTargets, keyedTargets } from '#schema/import-columns.ts'
import { isAllowed } from '#schema/permissions.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { useAddress } from '#shell/use-address.ts'
import { type Problem, problemOf } from '#views/shared/problem.ts'
import { loadAllWords } from './all-words.ts'
import { type ReadFault, type ReadFile, readFile } from './read-file.ts'

export type Running = { kind: 'check' | 'import'; share: number }

type Chosen = {
  target: string
  source: ReadFile | undefined
  map: readonly (string | undefined)[]
  update: boolean
  keys: boolean
}
type Outcome = { report?: ImportReport | undefined; problem?: Problem | undefined; fault?: ReadFault | undefined }

/** Steps of an import: choose, map, check, write. A new choice invalidates an older check. */
export function useImport() {
  const { definitions, permissions, viewer } = useConsole()
  const call = useCall()
  const client = useQueryClient()
  const targets = useMemo(
    () => importTargets(definitions, viewer.role).filter((name) => isAllowed(permissions, importedBy(name), 'import')),
    [definitions, permissions, viewer.role],
  )
  const asked = new URLSearchParams(useAddress().search).get('target') ?? ''
  const start = targets.includes(asked) ? asked : (targets[0] ?? '')
  const [chosen, setChosen] = useState<Chosen>({ target: start, source: undefined, map: [], update: false, keys: false })
  const [outcome, setOutcome] = useState<Outcome>({})
  const [running, setRunning] = useState<Running>()
  const { target, source, map, update, keys } = chosen
  const columns = useMemo(() => importColumns(definitions, target, viewer.role), [definitions, target, viewer.role])

  const change = (next: Partial<Chosen>) => {
    setChosen({ ...chosen, ...next })
    setOutcome({})
  }
  const guess = (of: string, from: ReadFile | undefined) =>
    from ? guessColumns(importColumns(definitions, of, viewer.role), from.table.head) : []

  const chooseFile = async (file: File | undefined) => {
    // The heads of the file may be in any language.
    const [read] = await Promise.all([file && readFile(file), file && loadAllWords()])
    const next = read && 'table' in read ? read : undefined
    setChosen({ ...chosen, source: next, map: guess(target, next) })
    setOutcome(read && 'code' in read ? { fault: read } : {})
  }

  const send = async (kind: Running['kind'], flags: Record<string, string>) => {
    if (!source || running) return
    setRunning({ kind, share: 0 })
    try {
      const query = new URLSearchParams({
        map: map.map((path) => path ?? '').join(','),
        fileName: source.file.name.slice(0, 200),
        ...(update ? { update: 'true' } : {}),
        ...(keys && keyedTargets.has(target) ? { keys: 'true' } : {}),
        ...flags,
      })
      const report = await call<ImportReport>({
        url: `import/${target}?${query}`,
        method: 'post',
        payload: new File([source.file], source.file.name, { type: 'text/csv', lastModified: source.file.lastModified }),
        onProgress: (share) => setRunning({ kind, share }),
      })
      setOutcome({ report })
      if (!report.dryRun) void client.invalidateQueries()
    } catch (error) {
      setOutcome({ ...outcome, problem: problemOf(error) })
    } finally {
      setRunning(undefined)
    }
  }

  return {
    ...chosen,
    ...outcome,
    columns,
    targets,
    running,
    setTarget: (next: string) => change({ target: next, map: guess(next, source) }),
    setColumn: (index: number, path: string) =>
      change({ map: map.map((known, at) => (at === index ? path || undefined : known)) }),
    setUpdate: (next: boolean) => change({ update: next }),
    setKeys: (next: boolean) => change({ keys: next }),
    chooseFile,
    check: () => void send('check', { dryRun: 'true' }),
    write: (skipInvalid: boolean) => void send('import', skipInvalid ? { skipInvalid: 'true' } : {}),
  }
}

export type ImportControl = ReturnType<typeof useImport>
