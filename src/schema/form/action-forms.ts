// A built console has the forms of all actions here, loaded with whatever first needs one (build/cut-labels.ts). In the sources each
// form stands in its definition.
export {}
