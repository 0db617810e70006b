import '#schema/later/action-forms.ts'
import { useDataProvider } from '@refinedev/core'
import { useCallback, useRef, useState } from 'react'
import { ownRows } from '#schema/form/own-rows.ts'
import type { AnyResource } from '#schema/resource.ts'
import { keptNames, type Values } from './form-values.ts'
import type { FormState } from './use-form-state.ts'

export type Fill = {
  setValue: FormState['setValue']
  /** The picked reference, and the values that differ from its record. */
  note: { name: string; kept: readonly string[] } | undefined
}

/** Picking a record fills other fields; typed values stay, and a note lists them. */
export function useFill(resource: AnyResource, state: Pick<FormState, 'form' | 'setValue' | 'fill'>): Fill {
  const dataProvider = useDataProvider()
  const [picked, setPicked] = useState<{ name: string; given: Values }>()
  const last = useRef<{ id: unknown; given?: Values }>({ id: undefined })
  const { form, setValue, fill } = state

  const take = useCallback(
    async (name: string, id: string) => {
      const field = resource.fields[name]
      if (field?.type !== 'reference' || !field.fills) return
      const { data } = await dataProvider().getOne({ resource: field.to, id })
      // Another record was picked while this one was loading.
      if (last.current.id !== id) return
      const given = Object.fromEntries(field.fills.map((part) => [part, ownRows(resource.fields[part], data[part]) ?? null]))
      fill(given, last.current.given)
      last.current = { id, given }
      setPicked({ name, given })
    },
    [dataProvider, fill, resource],
  )
  const setAndFill = useCallback(
    (name: string, value: unknown) => {
      setValue(name, value)
      const field = resource.fields[name]
      if (field?.type !== 'reference' || !field.fills) return
      last.current = { ...last.current, id: value }
      if (typeof value === 'string') void take(name, value)
      else setPicked(undefined)
    },
    [resource, setValue, take],
  )
  return { setValue: setAndFill, note: picked && { name: picked.name, kept: keptNames(form.values, picked.given) } }
}
