import { connect } from 'node:net'

/** Sends bytes as they are over one connection: all that is answered until the other side ends, or falls silent. */
export function sendRaw(origin: string, bytes: string, silentMs = 300): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    let answer = ''
    const finish = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      answer += chunk
      // The other side waits for more, as of a body that is told to be longer.
      socket.setTimeout(silentMs)
    })
    socket.once('end', finish).once('error', reject)
    socket.setTimeout(10_000)
    socket.once('timeout', () => (answer ? finish() : reject(new Error('nothing was answered'))))
  })
}

/** Status of each answer in what a connection has said. */
export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
