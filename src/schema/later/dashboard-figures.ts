// In a built console this chunk holds the figures of all definitions, loaded with the dashboard (build/cut-labels.ts). In the
// sources they are part of the definitions.
export {}
