// In a built console this chunk holds the facts that only lists read, loaded with them (build/cut-labels.ts). In the sources
// they are part of the definitions.
export {}
