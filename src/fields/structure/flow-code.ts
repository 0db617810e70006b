import { LazyChunk } from '#ui/layout/lazy-chunk.tsx'

/** Comes with the code of lists, where most flows are drawn. */
export const flowCode = new LazyChunk(() => import('./flow.tsx').then((module) => module.Flow))
