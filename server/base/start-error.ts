/** A start that failed for a reason that its message explains; the stack would explain nothing more. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export const explained = (error: unknown): never => {
  throw new StartError(error instanceof Error ? error.message : String(error), { cause: error })
}
