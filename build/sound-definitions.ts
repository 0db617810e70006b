import { checkDefinitions } from '#server/dev/check-definitions.ts'

/** A build refuses what the checker refuses: a server in production trusts the definitions that it was built with. */
export async function requireSoundDefinitions(root: string): Promise<void> {
  const { ok, text } = await checkDefinitions(root)
  if (!ok) throw new Error(text)
}
