/** Widgets for tabs and record heads; src/widgets has a component for each. */
export const widgetNames = [
  'board-configuration',
  'board-connect',
  'board-status',
  'case-record',
  'ess-overview',
  'journal-entry',
  'packet-microscope',
  'telemetry-chart',
  'update-record',
  'warning-record',
] as const
export type WidgetName = (typeof widgetNames)[number]
