/** Queries of the console are flat: nothing in them leads back to itself. */
export default function assertParamsAcyclic(): void {}
