import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a server that breaks: once for each number of bytes of images that have come through. */
export class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cuts: number[]
  #passed = 0
  cutCount = 0

  constructor(port: number, cuts: readonly number[]) {
    this.#cuts = [...cuts]
    this.#server = createServer((near) => this.#join(near, connect(port, '127.0.0.1')))
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(near: Socket, far: Socket): void {
    let isImage = false
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      isImage ||= bytes.includes('GET /api/device/v1/firmware/')
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      const [cut] = this.#cuts
      if (!isImage || cut === undefined || this.#passed + bytes.length < cut) {
        if (isImage) this.#passed += bytes.length
        near.write(bytes)
        return
      }
      const rest = cut - this.#passed
      this.#passed = cut
      this.#cuts = this.#cuts.slice(1)
      this.cutCount += 1
      far.pause()
      near.write(bytes.subarray(0, rest), () => setTimeout(() => near.destroy(), 20))
    })
  }
}
