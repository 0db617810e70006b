import { isWritable } from '#schema/definition.ts'
import { type Field, type FieldOf, type Fields, holdsFiles } from '#schema/field-types.ts'
import { isRequired } from '#schema/form/conditions.ts'
import { filledOptions, listedBy, optionsQuery, parentsOf } from '#schema/form/options.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { valueAt } from '#schema/rule.ts'
import { problemTable } from '#server/base/problem-table.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { multipart } from '#tests/support/multipart.ts'
import { fileSample, type SampleFile } from './file-samples.ts'
import { fitting, nobody } from './fitting.ts'
import { addressOf, creatorOf, fieldsOf, isNeeded, type Json, makerOf, type Proven } from './proven.ts'
import { sampleOf, uniqueSample } from './samples.ts'
import { codeOf, type Reply, type Transport, Unmade } from './transport.ts'
import { Unfit } from './unfit.ts'

type Reference = FieldOf<'reference'> | FieldOf<'references'>
/** `as`: who makes the value; `depth`: references followed to get here; `values`: those that options depend on. */
type Making = { as: Role; depth: number; values: Json }
type IsWanted = (record: Json) => Promise<boolean>
type Reach = (maker: Maker, of: AnyResource, isWanted: IsWanted) => Promise<Json | undefined>

const deepest = 3

/** Samples of fields that point to nothing. */
export const plainValues = (of: AnyResource, seed: number): Json =>
  Object.fromEntries(
    fieldsOf(of).flatMap(([name, field]) => {
      const isOpen = isWritable(field, 'create') && !field.when && (!field.access || field.required)
      const isUnique = field.unique || of.unique?.some((set) => set.includes(name))
      const sample = isOpen ? (isUnique ? uniqueSample : sampleOf)(field, seed) : undefined
      return sample === undefined ? [] : [[name, sample]]
    }),
  )

export const isReference = (field: Field): field is Reference => field.type === 'reference' || field.type === 'references'

/** Records for the checks of definitions, with all that they point to: made by calls of roles that may make them. */
export class Maker {
  readonly proven: Proven
  readonly transport: Transport
  readonly #reach: Reach
  readonly #reaching = new Set<string>()
  readonly #unreached = new Set<string>()
  readonly #unfit = new Unfit()
  #seed = 0

  /** `reach`: leads records of a definition through their states until one is wanted. */
  constructor(proven: Proven, transport: Transport, reach: Reach = async () => undefined) {
    this.proven = proven
    this.transport = transport
    this.#reach = reach
  }

  /** Another number each time, so that no two samples are alike. */
  next(): number {
    this.#seed += 1
    return this.#seed
  }

  known(name: string): AnyResource {
    const found = this.proven.definitions.get(name)
    if (!found) throw new Unmade(`there is no resource ${name}`)
    return found
  }

  /** The values of a new record that keep its rules, with the records and files that it has to have. `given`: values that are wanted. */
  async body(of: AnyResource, given: Json = {}, { depth = 0 } = {}): Promise<Json> {
    const seed = this.next()
    const isProven = of === this.proven.resource
    const samples = Object.entries(plainValues(of, seed)).filter(([name]) => {
      const field = of.fields[name]
      return isProven ? !this.#unfit.has(name) : field && (field.unique || isNeeded(field))
    })
    const values: Json = { ...Object.fromEntries(samples), ...of.subset?.where, ...given }
    const asked = fieldsOf(of).filter(
      ([name, field]) => !Object.hasOwn(values, name) && isWritable(field, 'create') && !field.when && isNeeded(field),
    )
    const making = { as: makerOf(of) ?? 'admin', depth, values }
    Object.assign(values, await this.#pointing(of, Object.fromEntries(asked), making))
    const conditional = Object.fromEntries(
      fieldsOf(of).filter(([, field]) => field.when && isWritable(field, 'create') && isRequired(field, values, nobody)),
    )
    const shown = Object.fromEntries(Object.entries(conditional).map(([name, field]) => [name, sampleOf(field, seed)]))
    const pointing = await this.#pointing(of, conditional, { ...making, values: { ...values, ...shown } })
    const whole = this.#unfit.without({ ...values, ...shown, ...pointing, ...given })
    return fitting(of, whole, seed, [...Object.keys(given), ...Object.keys(of.subset?.where ?? {})]) ?? whole
  }

  /** A new record of a definition. */
  async made(
    of: AnyResource,
    given: Json = {},
    { depth = 0, as = makerOf(of) }: { depth?: number; as?: Role | undefined } = {},
  ): Promise<Json> {
    if (!as) throw new Unmade(`no call makes a record of ${of.name}`)
    if (depth > deepest) throw new Unmade(`a record of ${of.name} needs more than ${deepest} others in a row`)
    const alone = fieldsOf(of).find(([, field]) => field.type === 'file' && field.sent === 'alone')
    const body = alone ? {} : await this.body(of, given, { depth })
    const answer = alone ? await this.#sentAlone(of, alone[1], as) : await this.#posted(of, body, as)
    if (answer.status === 201) return answer.body
    if (this.leavesOut(of, { answer, body, as })) return await this.made(of, given, { depth, as })
    const text = `a record of ${of.name} with made-up values is refused (${codeOf(answer)})`
    // A rule of the server may ask for more than values: its codes are none of the engine's.
    const isOwnRule = this.proven.rules[of.name] !== undefined && answer.status < 500 && !(codeOf(answer) in problemTable)
    if (of !== this.proven.resource || alone || isOwnRule) throw new Unmade(text)
    throw new Error(`${text}: ${answer.text}`)
  }

  #posted = (of: AnyResource, body: Json, as: Role) => this.transport.call('POST', addressOf(of, 'create'), { as, body })

  async #sentAlone(of: AnyResource, field: Field, as: Role): Promise<Reply> {
    const file = field.type === 'file' ? fileSample(field, this.next(), of.name) : undefined
    if (!file) throw new Unmade(`no file is known that ${of.name} is made of`)
    return await this.sendFile(addressOf(of, 'create'), file, as)
  }

  /** True where a rule of the server refuses samples that are left out from now on. */
  leavesOut(of: AnyResource, sent: { answer: Reply; body: Json; as: Role }): boolean {
    return of === this.proven.resource && this.proven.rules[of.name] !== undefined && this.#unfit.takes(of, sent)
  }

  /** A file as a browser sends it. */
  sendFile(path: string, { name, content }: SampleFile, as: string): Promise<Reply> {
    const { headers, payload } = multipart([{ name: 'file', filename: name, content }])
    return this.transport.call('POST', path, { as, headers, body: payload })
  }

  /** Values of fields that point to records or hold files; those that depend on others come after them. */
  async #pointing(of: AnyResource, fields: Fields, making: Making): Promise<Json> {
    const values: Json = {}
    const isAfter = ([, field]: [string, Field]) => (isReference(field) && field.options ? parentsOf(field.options).length : 0)
    for (const [name, field] of Object.entries(fields).toSorted((a, b) => isAfter(a) - isAfter(b))) {
      const value = await this.valueOf(of, name, field, { ...making, values: { ...making.values, ...values } })
      if (value !== undefined) values[name] = value
    }
    return values
  }

  /** A value of a field that is no plain sample; undefined for other fields. Throws `Unmade` where there can be none. */
  async valueOf(of: AnyResource, name: string, field: Field, making: Making): Promise<unknown> {
    if (field.type === 'reference') return await this.chosen(field, making)
    if (field.type === 'references') return [await this.chosen(field, making)]
    if (holdsFiles(field)) {
      const stored = await this.uploaded(of, name, field, making.as)
      return field.type === 'files' ? [stored] : stored
    }
    if (field.type !== 'group' && field.type !== 'list') return undefined
    const plain = Object.assign({}, [sampleOf(field, this.next())].flat()[0])
    const inner = await this.#pointing(
      of,
      Object.fromEntries(Object.entries(field.fields).filter(([, part]) => isReference(part))),
      making,
    )
    return Object.keys(inner).length === 0
      ? undefined
      : field.type === 'list'
        ? [{ ...plain, ...inner }]
        : { ...plain, ...inner }
  }

  async uploaded(of: AnyResource, name: string, field: Field, as: Role): Promise<Json> {
    const file = holdsFiles(field) ? fileSample(field, this.next()) : undefined
    if (!file) throw new Unmade('no small file is known that its types allow')
    const answer = await this.sendFile(`files/${of.name}/${name}`, file, as)
    if (answer.status !== 201)
      throw new Error(`the upload of ${file.name} for ${name} is refused: ${answer.status} ${answer.text}`)
    return answer.body
  }

  /** The id of a record that a reference may point to: a new one, out of those that its options offer. */
  async chosen(field: Reference, making: Making): Promise<string> {
    const target = this.known(field.to)
    const { options } = field
    const depth = making.depth + 1
    if (options === undefined) return String((await this.made(target, {}, { depth })).id)
    const path = filledOptions(options, making.values)
    if (path === undefined) throw new Unmade(`it depends on ${parentsOf(options).join(', ')}, which has no value`)
    const wanted = this.#wantedBy(options, path, target)
    const made = await this.made(target, wanted.ofForm, { depth }).catch((error: unknown) => {
      if (error instanceof Unmade) return undefined
      throw error
    })
    if (made && Object.keys(wanted.ofServer).length > 0) await this.transport.write?.(target, made.id, wanted.ofServer)
    const offered = async () => (await this.#rowsOf(path, making.as)).map(({ id }) => String(id))
    const first = await offered()
    if (made && first.includes(String(made.id))) return String(made.id)
    const isOffered = async ({ id }: Json) => (await offered()).includes(String(id))
    const other = first[0] ?? (made && (await this.#reached(target, options, isOffered)))?.id
    if (other === undefined) throw new Unmade(`${options} offers nothing, and no record of ${target.name} that is made here`)
    return String(other)
  }

  /** A record that is wanted in a later state of it. It is looked for once, and records that it needs look for none of its kind. */
  async #reached(target: AnyResource, options: string, isWanted: IsWanted): Promise<Json | undefined> {
    if (this.#reaching.has(target.name) || this.#unreached.has(options)) return undefined
    this.#reaching.add(target.name)
    const found = await this.#reach(this, target, isWanted).catch(() => undefined)
    this.#reaching.delete(target.name)
    if (!found) this.#unreached.add(options)
    return found
  }

  async #rowsOf(path: string, as: Role): Promise<Json[]> {
    const { rows } = await this.transport.call('GET', path, { as })
    return rows
  }

  /**
   * Values that the list of the options asks for: those that a form of a new record has, and references that only the server
   * sets, as the owner of a system.
   */
  #wantedBy(options: string, path: string, target: AnyResource): { ofForm: Json; ofServer: Json } {
    const list = listedBy(this.proven.definitions, options)
    const wanted: { ofForm: Json; ofServer: Json } = { ofForm: {}, ofServer: {} }
    for (const { field: name, op, values } of list ? optionsQuery(list, path).query.filters : []) {
      const field = target.fields[name]
      if (!field || op !== 'eq' || field.when) continue
      if (isWritable(field, 'create')) wanted.ofForm[name] = values[0]
      else if (field.type === 'reference' && isStored(field)) wanted.ofServer[name] = values[0]
    }
    return wanted
  }

  /** A record that the options of a reference do not offer; undefined where none is known. */
  async notOffered(field: Reference, making: Making): Promise<string | undefined> {
    const list = field.options === undefined ? undefined : listedBy(this.proven.definitions, field.options)
    const path = field.options === undefined ? undefined : filledOptions(field.options, making.values)
    if (!list || path === undefined) return undefined
    const target = this.known(field.to)
    const { ofForm, ofServer } = this.#wantedBy(field.options ?? '', path, target)
    const idOf = (record: Json | undefined) => record && String(record.id)
    if (Object.keys(ofServer).length > 0) return idOf(await this.made(target, ofForm, { depth: 1 }).catch(() => undefined))
    for (const [name, value] of Object.entries(ofForm)) {
      const other = Array.from({ length: 8 }, () => sampleOf(target.fields[name] as Field, this.next())).find(
        (one) => one !== value && one !== undefined,
      )
      const record =
        other === undefined ? undefined : await this.made(target, { [name]: other }, { depth: 1 }).catch(() => undefined)
      if (record && valueAt(record, name) !== value) return idOf(record)
    }
    return undefined
  }

  /** The record as a role that sees all of them has it. */
  async shown(of: AnyResource, id: unknown, as: string = creatorOf(of) ?? makerOf(of) ?? 'admin'): Promise<Json> {
    return (await this.transport.call('GET', addressOf(of, 'show', id), { as })).body
  }
}
