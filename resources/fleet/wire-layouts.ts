import type { Product } from '#resources/shared/products.ts'
import type { ChannelRow } from './channel-row.ts'

/** A field by its name; with its own kind and decimals where they are not those of version 1. */
type LayoutField = string | { name: string; kind: ChannelRow['wire'][2]; digits?: number }

/**
 * Payloads of one product in one protocol version, fields in byte order. Omitted parts are those of version 1 of the control board,
 * whose places are in `channels`. A payload grows at its end without a new row; a row is for bytes that change their meaning.
 */
export type LayoutRow = {
  product: Product
  version: number
  /** The beginning of every payload. */
  status?: readonly LayoutField[]
  /** The rest of a payload by the type of its frame. */
  types?: Readonly<Partial<Record<'TELEMETRY' | 'EVENT' | 'CONFIG_ACK' | 'FW_PROGRESS' | 'BOOT', readonly LayoutField[]>>>
}

/** A link board reads the inverter and battery of another maker, which tell neither cells nor switches. */
const linkSample = [
  'socPct',
  'sohPct',
  'batteryPowerW',
  'batteryVoltageV',
  'batteryCurrentA',
  'energyAvailableWh',
  'cellTempMinC',
  'cellTempMaxC',
  'pvPowerW',
  'loadPowerW',
  'gridPowerW',
  'gridVoltageL1V',
  'gridVoltageL2V',
  'gridVoltageL3V',
  'gridFrequencyHz',
  'chargeEnergyWh',
  'dischargeEnergyWh',
  'pvEnergyWh',
  'loadEnergyWh',
  'gridImportEnergyWh',
  'gridExportEnergyWh',
  'chargeState',
  'bankState',
  'gridMode',
  'eventFlags',
]

export const wireLayouts: readonly LayoutRow[] = [
  { product: 'ESS-PCB', version: 1 },
  { product: 'ESS-LINK', version: 1, types: { TELEMETRY: linkSample } },
]
