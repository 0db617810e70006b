import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { callOf, definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Scene, scenesOf } from '#tests/support/action-scenes.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { UpdatingBoard } from '#tests/support/updating-board.ts'

const definitions = definitionsOf(resources)
/** Actions with calls of their own; those that act through another record are that record's. */
const actions = [...definitions.values()].flatMap((resource) =>
  Object.entries(resource.actions ?? {})
    .filter(([, { through }]) => through === undefined)
    .map(([name, action]) => ({ title: `${resource.name} ${name}`, resource, name, action })),
)
/** Rows that are read below a record only, and do not follow changes by themselves, come and go with that record. */
const isPart = ({ live, api }: AnyResource) => !live && api?.list === false
const kept: readonly AnyResource[] = resources.filter((one) => !one.subset && !one.journal && !isPart(one))

type Snapshot = ReadonlyMap<string, { hash: string; version: number }>
type Told = { id: number; resource: string; entityId: string; version: number; type: string }

type Seen = { before: Snapshot; after: Snapshot; told: readonly Told[] }

/** Rows that differ without a live event of what they are now, and new ones without an event that they were created. */
function untoldOf({ before, after, told }: Seen): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key)?.hash !== after.get(key)?.hash,
  )
  return changed.filter((key) => {
    const own = told.filter(({ resource, entityId }) => `${resource} ${entityId}` === key)
    const now = after.get(key)
    if (!now) return own.every(({ type }) => type !== 'deleted')
    const isNewUntold = !before.has(key) && own.every(({ type }) => type !== 'created')
    return isNewUntold || own.every(({ type, version }) => type === 'deleted' || version !== now.version)
  })
}

describe.each(oneEngine(import.meta.filename))('what an action changed is told on $name', (engine) => {
  let server: BoardServer
  let scenes: ReturnType<typeof scenesOf>
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    scenes = scenesOf(server)
  })
  afterAll(() => server?.close())

  const rowsOf = async (resource: AnyResource): Promise<Snapshot> => {
    const rows = await server.rows<{ id: string; version: number; hash: string }>(
      `select "id", "version", md5("t"::text) as "hash" from "${tableOf(resource)}" "t"`,
    )
    return new Map(rows.map(({ id, ...row }) => [`${resource.name} ${id}`, row]))
  }
  const snapshot = async (): Promise<Snapshot> => new Map((await Promise.all(kept.map(rowsOf))).flatMap((each) => [...each]))
  const events = () => server.rows<Told>('select "id", "resource", "entityId", "version", "type" from "event"')
  const eventIds = async () => (await events()).map(({ id }) => id)
  /** Not by the order of their ids: a transaction under way may have drawn a lower one. */
  const eventsBeside = async (known: ReadonlySet<number>) => (await events()).filter(({ id }) => !known.has(id))

  /** Free text for every field of the form that the scene leaves empty. */
  const typedInto = ({ action, title }: (typeof actions)[number], { values = {} }: Scene): Record<string, string> =>
    Object.fromEntries(
      Object.entries(action.form ?? {}).flatMap(([name, { type }]) =>
        (type === 'text' || type === 'longText') && values[name] === undefined ? [[name, `Typed ${name}: ${title}`]] : [],
      ),
    )
  async function ran(done: (typeof actions)[number]) {
    const scene = await scenes[done.title]?.()
    if (!scene) throw new Error(`${done.title} has no scene`)
    const typed = typedInto(done, scene)
    const role = scene.role ?? 'admin'
    await server.token(role)
    // Letters of the scene leave meanwhile: of an invitation that was snapped before or after that, its event counts.
    const knownEvents = new Set(await eventIds())
    const [before, entriesBefore] = [await snapshot(), new Set(await entryIds())]
    const [method, path] = callOf(done.resource, done.name, done.action)
    const body = { ...typed, ...scene.values }
    const { status, text } = await server.call(method as 'PUT', path.replace('{id}', scene.id), { role, body })
    expect(status, text).toBeLessThan(300)
    // Letters of the action leave, too: their delivery changes the invitation that was just made.
    await server.lettersGone()
    const entries = (
      await server.rows<{ id: string; reason: string | null; entry: string }>(
        `select "id", "reason", "a"::text as "entry" from "audit_log" "a"`,
      )
    ).filter(({ id }) => !entriesBefore.has(id))
    const after = await snapshot()
    return { before, after, told: await eventsBeside(knownEvents), typed, entries, id: scene.id }
  }
  async function deleted(path: string): Promise<Seen> {
    const knownEvents = new Set(await eventIds())
    const before = await snapshot()
    const { status, text } = await server.call('DELETE', path)
    expect(status, text).toBe(204)
    const after = await snapshot()
    return { before, after, told: await eventsBeside(knownEvents) }
  }
  const entryIds = async () => (await server.rows<{ id: string }>(`select "id" from "audit_log"`)).map(({ id }) => id)

  it('has a scene for every action, and an action for every scene', () => {
    expect(Object.keys(scenes).toSorted()).toEqual(actions.map(({ title }) => title).toSorted())
  })

  it.each(actions)('$title tells every row that it changes, and keeps what was typed', async (action) => {
    const { before, after, told, typed, entries, id } = await ran(action)
    expect(untoldOf({ before, after, told })).toEqual([])
    // The history of the record has a new entry, whether or not the row itself is another one.
    expect(told).toContainEqual(expect.objectContaining({ resource: action.resource.name, entityId: id }))
    for (const [name, text] of Object.entries(typed)) {
      const kept = entries.flatMap(({ reason, entry }) => (action.resource.fields[name] ? entry : (reason ?? '')))
      expect(kept.join()).toContain(text)
    }
  })

  it('tells what a deleted system and a deleted board take with them', async () => {
    const { essId, id: boardId } = await server.addBoard()
    const place = `"essId" = '${essId}'`
    await server.rows(
      `insert into "guest" ("id", "essId", "userId", "access", "state") values ('told-${essId}', '${essId}', 'x', 'VIEW', 'ACTIVE')`,
    )
    for (const state of ['ACCEPTED', 'PENDING'])
      await server.rows(`insert into "invitation" ("id", "kind", "email", "userId", "essId", "role", "state")
        values ('${state}-${essId}', 'GUEST', 'x@scene.example', 'x', '${essId}', 'client', '${state}')`)
    await server.rows(`update "control_pcb" set "essId" = null, "role" = null where ${place}`)
    await server.rows(`update "ess" set "lifecycle" = 'DECOMMISSIONED' where "id" = '${essId}'`)
    const ofBoard = await deleted(`control-pcb/${boardId}`)
    expect(untoldOf(ofBoard)).toEqual([])
    expect(ofBoard.before.size - ofBoard.after.size).toBe(2)
    const ofSystem = await deleted(`ess/${essId}`)
    expect(untoldOf(ofSystem)).toEqual([])
    expect(ofSystem.before.size - ofSystem.after.size).toBe(2)
  })
})
