import { checkDefinitions } from '#server/dev/check-definitions.ts'

/** Fails the build on faulty definitions: a production server trusts those that it was built with. */
export async function requireSoundDefinitions(root: string): Promise<void> {
  const { ok, text } = await checkDefinitions(root)
  if (!ok) throw new Error(text)
}
