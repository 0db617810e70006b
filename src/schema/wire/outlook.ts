import { z } from 'zod'

export const outlookPath = (resource: string): string => `${resource}/outlook`

const few = z
  .array(z.object({ id: z.string(), title: z.string() }))
  .meta({ description: 'The first few of them, each with its title' })

/** Records that a form's values would cover, before it is saved. */
export const outlookSchema = z.object({
  total: z.int().min(0).meta({ description: 'Records that meet the conditions' }),
  count: z.int().min(0).meta({ description: 'Those of them that are taken in' }),
  reasons: z
    .array(
      z.object({
        code: z.string(),
        text: z.string().meta({ description: 'In the language of the request' }),
        count: z.int().min(1),
        isOut: z.boolean().meta({ description: 'False: they are taken in, and this is known of them' }),
        few,
      }),
    )
    .meta({ description: 'Why records are left out, and what is known of those that are not; the most frequent first' }),
  first: few,
})

export type Outlook = z.infer<typeof outlookSchema>
