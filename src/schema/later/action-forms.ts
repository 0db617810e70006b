// In a built console this chunk holds the facts that dialogs and forms alone read, loaded on first use (build/cut-labels.ts). In the
// sources they are part of the definitions.
export {}
