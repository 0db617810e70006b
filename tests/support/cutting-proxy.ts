import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { joinSockets } from './joined-sockets.ts'

type Line = {
  /** Speed of images; as fast as they come without it. */
  bytesPerS?: number
}

/** A line to a server that breaks: once for each number of bytes of images that have come through. */
export class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cuts: number[]
  #passed = 0
  readonly #bytesPerS: number | undefined
  cutCount = 0

  constructor(port: number, cuts: readonly number[], { bytesPerS }: Line = {}) {
    this.#cuts = [...cuts]
    this.#bytesPerS = bytesPerS
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
    joinSockets(this.#sockets, near, far)
    near.on('data', (bytes) => {
      isImage ||= bytes.includes('GET /api/device/v1/firmware/')
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      const [cut] = this.#cuts
      if (!isImage || cut === undefined || this.#passed + bytes.length < cut) {
        if (isImage) this.#passed += bytes.length
        if (isImage && this.#bytesPerS) this.#pass(bytes, { near, far })
        else near.write(bytes)
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

  /** A tenth of a second's bytes at a time. */
  #pass(bytes: Buffer, { near, far }: { near: Socket; far: Socket }): void {
    far.pause()
    const part = Math.ceil((this.#bytesPerS ?? 0) / 10)
    near.write(bytes.subarray(0, part))
    setTimeout(() => (bytes.length > part ? this.#pass(bytes.subarray(part), { near, far }) : far.resume()), 100)
  }
}
