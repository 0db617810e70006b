import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on a port that is free; answers which. */
export const listening = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** A port that nobody listens on, for a program that wants to be told. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listening(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const tries = 400
const pauseMs = 50

/** Waits until an address answers well. */
export async function untilAlive(url: string): Promise<void> {
  for (let tried = 0; tried < tries; tried += 1) {
    const isAlive = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isAlive) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`nothing answers at ${url}`)
}
