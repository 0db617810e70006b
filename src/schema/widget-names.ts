/** Widgets that a definition may name for a tab or for the head; src/widgets has a component for each. */
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
