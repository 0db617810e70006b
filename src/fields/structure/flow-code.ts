import { LaterCode } from '#ui/layout/later.tsx'

/** Comes with the code of lists, where most flows are drawn. */
export const flowCode = new LaterCode(() => import('./flow.tsx').then((module) => module.Flow))
