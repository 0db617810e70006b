// A built console has the figures of all definitions here, loaded with the dashboard (build/cut-labels.ts). In the sources they stand in
// the definitions.
export {}
