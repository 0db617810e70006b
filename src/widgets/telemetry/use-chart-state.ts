import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Channel } from '#resources/fleet/channel-of.ts'
import { useStoredSetting } from '#views/shared/use-stored-setting.ts'
import { type ChartState, readState, writeState } from './chart-state.ts'
import { chartChannels, usualChannels } from './panel/panels.ts'

/** `undefined` removes a parameter from the address. */
export type ChartChange = { [K in keyof ChartState]?: ChartState[K] | undefined }

export type ChartControl = {
  state: ChartState
  /** Selected channels, by precedence: the address, this device's choice, the default. */
  channels: readonly Channel[]
  /** Navigates to the changed state, as a new history entry unless `replace`. */
  change: (part: ChartChange, options?: { replace?: boolean }) => void
  choose: (channels: readonly Channel[]) => void
}

const storedKey = 'telemetry.channels'

/** State of the charts from the address, and the last channel selection of this device. */
export function useChartState(): ChartControl {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [stored, store] = useStoredSetting(storedKey)
  const state = useMemo(() => readState(new URLSearchParams(search)), [search])
  const channels = useMemo(() => {
    const remembered = chartChannels.filter((name) => stored?.split(',').includes(name))
    return state.channels ?? (remembered.length > 0 ? remembered : usualChannels)
  }, [state.channels, stored])
  const change = useCallback(
    (part: ChartChange, options: { replace?: boolean } = {}) => {
      const { window, channels: named, atMs, ...rest } = { ...state, ...part }
      const next: ChartState = {
        range: rest.range ?? state.range,
        zone: rest.zone ?? state.zone,
        hasTable: rest.hasTable ?? state.hasTable,
        ...(window ? { window } : {}),
        ...(named ? { channels: named } : {}),
        ...(atMs === undefined ? {} : { atMs }),
      }
      const query = writeState(next).toString()
      const path = query ? `${pathname}?${query}` : pathname
      if (path !== pathname + search) navigate(path, { replace: options.replace ?? false, preventScrollReset: true })
    },
    [navigate, pathname, search, state],
  )
  const choose = useCallback(
    (next: readonly Channel[]) => {
      store(next.join(','))
      change({ channels: next }, { replace: true })
    },
    [store, change],
  )
  return { state, channels, change, choose }
}
