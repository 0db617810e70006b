import { connect, createServer, type Server, type Socket } from 'node:net'

/** Passes bytes on until it is told to keep them: as a host that has vanished, it closes nothing and answers nothing. */
export class SilentWay {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false

  /** `reword` changes what the host says. */
  constructor(to: URL, reword: (bytes: Buffer) => Buffer = (bytes) => bytes) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname)
      for (const [from, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (bytes) => this.#isSilent || other.write(from === far ? reword(bytes) : bytes))
        from.on('error', () => other.destroy())
        from.on('close', () => this.#isSilent || other.destroy())
      }
    })
  }
  open(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port)),
    )
  }
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
