/** `npm start` reads this module before anything is built, so it is plain JavaScript. */
declare module '#server/app/source-hash.mjs' {
  type Environment = Readonly<Record<string, string | undefined>>

  export function sourceHash(root: string): string
  export function stampBuild(root: string, env: Environment, build: () => Promise<unknown>): Promise<void>
  export function plannedBuild(root: string, env: Environment): Record<string, string> | undefined
}
