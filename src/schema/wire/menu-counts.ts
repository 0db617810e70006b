import { z } from 'zod'

/** Path of the call that answers them. */
export const menuCountsPath = 'menu/counts'

/** Live counts of the menu by the name of the resource; `inbox` is that of the inbox. What the caller may not open is left out. */
export const menuCountsSchema = z.record(z.string(), z.int().min(0))

export type MenuCounts = z.infer<typeof menuCountsSchema>
