import type { Label } from '#schema/words.ts'

/** The name of the product in English and Russian; a test holds the document and the words of the console to it. */
export const product: Label = ['ESS console', 'Консоль СНЭ']
/** For what has one name in all languages: authenticators, passkeys, the API's description, the sender of mails. */
export const productName = product[0]
