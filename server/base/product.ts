/** The name of the product: in mails, authenticators, passkeys and the API's description, and in the title of the console. */
export const productName = 'ESS console'
