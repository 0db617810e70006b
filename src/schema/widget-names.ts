/** What a definition may name for a tab, or for the place above the tabs; src/widgets has one component for each. */
export const widgetNames: readonly string[] = [
  'board-configuration',
  'board-status',
  'case-record',
  'ess-overview',
  'journal-entry',
  'packet-microscope',
  'telemetry-chart',
  'update-record',
  'warning-record',
]
