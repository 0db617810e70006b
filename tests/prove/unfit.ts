import { fieldAt } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import { check, createSchema, writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { Json } from './proven.ts'
import { skipCheck } from './skipped-checks.ts'
import { codeOf, faultsIn, type Reply } from './transport.ts'

/** The field or the part of a group at the path of a fault: `settings.limits.0.code` is `settings.limits`. */
const partAt = (of: AnyResource, path: string): string => {
  const [name = '', part] = path.split('.')
  return part !== undefined && of.fields[name]?.type === 'group' ? `${name}.${part}` : name
}

/** Fields and parts of groups whose samples a rule of the server refuses. */
export class Unfit {
  readonly #paths = new Set<string>()

  has = (name: string): boolean => this.#paths.has(name)

  /** Values without the refused parts of groups. */
  without(values: Json): Json {
    const isKept =
      (name: string) =>
      ([part]: [string, unknown]) =>
        !this.#paths.has(`${name}.${part}`)
    const kept = (name: string, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(isKept(name))) : value
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kept(name, value)]))
  }

  /**
   * Takes in what a rule of the server refuses: by a code of its own, or though it is valid by the definition. False where
   * nothing can be left out.
   */
  takes(of: AnyResource, { answer, body, as }: { answer: Reply; body: Json; as: Role }): boolean {
    const names = [...new Set(faultsIn(answer).map((path) => partAt(of, path)))]
    const isFree = (path: string) => fieldAt(of.fields, path)?.required !== true && !this.#paths.has(path)
    const isValid = () => check(createSchema(writableFields(of, 'create', as)), body).ok
    if (names.length === 0 || !names.every(isFree) || (codeOf(answer) === 'invalid' && !isValid())) return false
    for (const name of names) {
      this.#paths.add(name)
      skipCheck(`${name}, written and read back`, `a rule of the server refuses the sample (${codeOf(answer)})`)
    }
    return true
  }
}
