import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { joinSockets } from './joined-sockets.ts'

/** A line to a server that carries calls of so many bytes; a larger one ends without an answer. */
export class NarrowLine {
  readonly #port: number
  readonly #most: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #ownPort = 0
  refused = 0

  constructor(port: number, most: number) {
    this.#port = port
    this.#most = most
  }

  /** Its address, which stays the same when it is opened again. */
  async open(): Promise<string> {
    const server = createServer((near) => this.#join(near, connect(this.#port, '127.0.0.1')))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#ownPort, '127.0.0.1', resolve))
    this.#ownPort = (server.address() as AddressInfo).port
    return `http://127.0.0.1:${this.#ownPort}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  #join(near: Socket, far: Socket): void {
    joinSockets(this.#sockets, near, far)
    let passed = 0
    near.on('data', (bytes) => {
      passed += bytes.length
      if (passed <= this.#most) far.write(bytes)
      else {
        if (!near.destroyed) this.refused += 1
        near.destroy()
      }
    })
    far.on('data', (bytes) => near.write(bytes))
  }
}
