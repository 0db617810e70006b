import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import { observeReconnect } from '#server/fleet/ingest/observe-reconnect.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { onEachEngine } from './board-servers.ts'
import { interleaved, median, quantile, report } from './figures.ts'
import { openIngestFloor } from './ingest-floor.ts'

/** The database has a clock of its own: by it boards of another day would be silent before each frame, and return with it. */
const begun = new Date()
/** Short, since the server's clock goes with the frames and the session of the list's reader ends by it. */
const betweenFramesMs = 1_000
const framesPerRequest = [1, 20]
const boardCount = 100
const connections = 16
const seconds = 2
const rounds = 3
const betweenListsMs = 50
const listQuery = '_start=0&_end=25'

type Body = { key: string; frames: Buffer }
type Place = { name: string; floor: string; url: string; framesEach: number; next: () => Body }
type Call = { url: string; status: number; method?: string; headers: Record<string, string | number>; body?: Buffer }
type Measured = { framesPerS: number; listsMs: number[] }

function call(agent: Agent, { url, status, method = 'GET', headers, body }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => (answer.statusCode === status ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`))))
    })
      .once('error', reject)
      .end(body)
  })
}

function postNext(agent: Agent, { url, next }: Place): Promise<void> {
  const { key, frames } = next()
  const headers = { 'content-type': 'application/octet-stream', 'content-length': frames.length, 'x-device-key': key }
  return call(agent, { url, status: 202, method: 'POST', headers, body: frames })
}

/** Posts bodies as fast as they are answered, while one admin asks for the first page of a list again and again. */
async function postBeside(place: Place, list: { url: string; token: string }, forSeconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections + 1 })
  const started = performance.now()
  const isOver = () => performance.now() - started >= forSeconds * 1_000
  const listsMs: number[] = []
  let count = 0
  async function post(): Promise<void> {
    for (; !isOver(); count += place.framesEach) await postNext(agent, place)
  }
  async function readLists(): Promise<void> {
    const headers = { authorization: `Bearer ${list.token}` }
    while (!isOver()) {
      const asked = performance.now()
      await call(agent, { url: list.url, status: 200, headers })
      listsMs.push(performance.now() - asked)
      await delay(betweenListsMs)
    }
  }
  const reading = readLists()
  await Promise.all(Array.from({ length: connections }, post))
  const framesPerS = count / ((performance.now() - started) / 1_000)
  await reading
  agent.destroy()
  return { framesPerS, listsMs }
}

/** Bodies of all boards in turn, the clock of the server goes with them. */
class Bodies {
  sent = 0
  readonly #boards: readonly TestBoard[]
  readonly #passTo: (time: Date) => void
  readonly #seqs = new Map<string, number>()
  #turn = 0

  constructor(boards: readonly TestBoard[], passTo: (time: Date) => void = () => undefined) {
    this.#boards = boards
    this.#passTo = passTo
  }

  next(framesEach: number): Body {
    const board = this.#boards[this.#turn++ % this.#boards.length]
    if (!board) throw new Error('there are no boards')
    const before = this.#seqs.get(board.uid) ?? 0
    const frames = Array.from({ length: framesEach }, (_, index) => {
      const seq = before + index + 1
      const time = new Date(begun.getTime() + seq * betweenFramesMs)
      return telemetryFrame({ uptimeS: (seq * betweenFramesMs) / 1_000 }, { seq, uid: board.uid, time })
    })
    this.#seqs.set(board.uid, before + framesEach)
    this.#passTo(new Date(begun.getTime() + (before + framesEach) * betweenFramesMs))
    this.sent += framesEach
    return { key: board.key, frames: Buffer.concat(frames) }
  }
}

const at = (values: readonly number[], share: number) => Number(quantile(values, share).toFixed(1))

function rowsFrom(places: readonly Place[], results: ReadonlyMap<string, readonly Measured[]>) {
  const perSecond = (name: string) => median((results.get(name) ?? []).map(({ framesPerS }) => framesPerS))
  return places.map(({ name, floor }) => {
    const lists = (results.get(name) ?? []).flatMap(({ listsMs }) => listsMs)
    return {
      target: name,
      'frames/s': Math.round(perSecond(name)),
      'of the floor': Number((perSecond(name) / perSecond(floor)).toFixed(3)),
      'list p50 ms': at(lists, 0.5),
      'list p99 ms': at(lists, 0.99),
    }
  })
}

/** A server that answers before it has stored would measure nothing. */
async function checkStored(server: BoardServer, sent: number): Promise<void> {
  const [kept] = await server.rows<{ count: string }>('select count(*) from "telemetry"')
  if (Number(kept?.count) !== sent) throw new Error(`${sent} frames were accepted, ${kept?.count} samples are stored`)
}

async function measure(engine: string, server: BoardServer) {
  const boards: TestBoard[] = []
  for (let index = 0; index < boardCount; index++) boards.push(await server.addBoard())
  const floor = await openIngestFloor(server.database)
  const { port } = server.app.server.address() as AddressInfo
  const own = `http://127.0.0.1:${port}/api`
  const toFloor = new Bodies(boards)
  const toServer = new Bodies(boards, (time) => time > server.now && server.setNow(time))
  const places = framesPerRequest.flatMap((framesEach): Place[] => {
    const name = (what: string) => `${what}, ${engine}, ${framesEach} a request`
    const shared = { framesEach, floor: name('floor') }
    return [
      { ...shared, name: name('floor'), url: floor.url, next: () => toFloor.next(framesEach) },
      { ...shared, name: name('this server'), url: `${own}/device/v1/frames`, next: () => toServer.next(framesEach) },
    ]
  })
  const post = async (place: Place, forSeconds: number) =>
    postBeside(place, { url: `${own}/ess?${listQuery}`, token: await server.token() }, forSeconds)
  for (const place of places) await post(place, 0.5)
  const results = await interleaved(places, rounds, (place) => post(place, seconds))
  await checkStored(server, toServer.sent)
  floor.close()
  return rowsFrom(places, results)
}

/**
 * Frames from 100 boards over HTTP beside the lists of an admin, with what the server does for warnings and updates. Poster, floor and
 * server share a process, so that all pay alike for the poster.
 */
export async function benchIngest(): Promise<void> {
  const observers = [observeUpdates, observeSamples, observeReconnect]
  const open = (engine: Parameters<typeof openBoardServer>[0]) =>
    openBoardServer(engine, {
      at: begun,
      listen: true,
      env: { RATE_LIMIT_PER_MIN: '1000000' },
      ingest: { observers, requestsPerMin: 1_000_000 },
    })
  report('ingest', await onEachEngine(open, measure))
}
