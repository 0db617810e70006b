// A built console has here what dialogs read of actions, loaded with whatever first needs one (build/cut-labels.ts). In the sources it
// stands in the definitions.
export {}
