// A built console has here what only lists read of definitions, loaded with them (build/cut-labels.ts). In the sources it stands in
// the definitions.
export {}
