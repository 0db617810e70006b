import { createServer, type Server, type Socket } from 'node:net'

const replies: readonly (readonly [RegExp, string])[] = [
  [/^DATA/, '354 go'],
  [/^QUIT/, '221 bye'],
  [/^(EHLO|HELO|MAIL|RCPT|RSET|\.$)/, '250 ok'],
]

/** As much of SMTP as it takes to be handed mails, on a port that stays its own while it is closed. */
export class MailReceiver {
  /** Every line that came. */
  readonly lines: string[] = []
  /** The mails that came whole, in their order: their lines after DATA, as quoted-printable text without its breaks. */
  readonly mails: string[] = []
  /** Called with each line; a false answer leaves the client without a reply. */
  answers: (line: string) => boolean = () => true
  #port = 0
  #server: Server | undefined
  readonly #sockets = new Set<Socket>()

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`
  }

  async open(): Promise<this> {
    const server = createServer((socket) => this.#talk(socket))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    const address = server.address()
    this.#port = typeof address === 'object' && address ? address.port : 0
    return this
  }

  #talk(socket: Socket): void {
    let rest = ''
    // Mails come over several connections at once.
    let mail: string[] = []
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('utf8')}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        this.lines.push(line)
        if (line === 'DATA') mail = []
        else if (line === '.') this.mails.push(mail.join('\n').replaceAll('=\n', '').replaceAll('=3D', '='))
        else mail.push(line)
        const [, reply] = replies.find(([pattern]) => pattern.test(line)) ?? []
        if (reply && this.answers(line)) socket.write(`${reply}\r\n`)
      }
    })
    socket.write('220 test\r\n')
  }

  mailsTo = (address: string): string[] => this.mails.filter((mail) => mail.includes(`\nTo: ${address}\n`))

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    const server = this.#server
    this.#server = undefined
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }
}
