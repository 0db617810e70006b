/** The part of an answer that says what was refused. */
export const refusal = (status: number, code: string) => ({ status, body: { code } })
