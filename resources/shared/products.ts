import type { Label } from '#schema/words.ts'

/** Kinds of boards by what they are sold as. The place in the list is the code in the header of an image: append only. */
export const products = {
  'ESS-PCB':  ['Control board', 'Плата управления'],
  'ESS-LINK': ['Link board||product', 'Плата связи'],
} as const satisfies Record<string, Label>

export type Product = keyof typeof products

/** On the wire a product is its place in this list. */
export const productNames = Object.keys(products) as Product[]

/** Boards that were registered before there were several products. */
export const usualProduct: Product = 'ESS-PCB'

/** Hardware revisions: the letter is a board's layout, the digit its assembly. */
export const hardwareRevisions: readonly string[] = ['A', 'B', 'C', 'D'].flatMap((layout) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((assembly) => `${layout}${assembly}`),
)
