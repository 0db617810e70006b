import { Agent, get } from 'node:http'

/** The addresses are requested round-robin. */
export type Target = { name: string; urls: readonly string[]; token?: string | undefined }
export type Load = { perSecond: number; p99Ms: number }

function once(agent: Agent, url: string, token: string | undefined): Promise<number> {
  const started = performance.now()
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve(performance.now() - started) : reject(new Error(`${url}: ${answer.statusCode}`)),
      )
    }).once('error', reject)
  })
}

/** Closed-loop load: each connection sends its next request after an answer. */
export async function load(
  { urls, token }: Target,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1_000
  const tookMs: number[] = []
  let asked = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) tookMs.push(await once(agent, urls[asked++ % urls.length] ?? '', token))
    }),
  )
  const elapsedS = (performance.now() - started) / 1_000
  agent.destroy()
  tookMs.sort((a, b) => a - b)
  return { perSecond: tookMs.length / elapsedS, p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0 }
}
