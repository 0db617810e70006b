import { z } from 'zod'

export const menuCountsPath = 'menu/counts'

/** Live counts of the menu by resource name; `inbox` is the inbox's. Resources that the caller may not open are omitted. */
export const menuCountsSchema = z.record(z.string(), z.int().min(0))

export type MenuCounts = z.infer<typeof menuCountsSchema>
