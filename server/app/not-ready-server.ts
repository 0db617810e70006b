import { createServer, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Config } from '#server/base/config.ts'
import { type ChangesRefused, obstacleLine } from '#server/engine/changes/obstacles.ts'
import { stepLine, withoutValues } from '#server/engine/changes/steps.ts'

/** Answers in place of a server whose start was refused. */
export type NotReadyServer = { address: string; close(): Promise<void> }

const retryAfterS = 30

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 200 ? {} : { 'retry-after': String(retryAfterS) }),
  })
  response.end(JSON.stringify(body))
}

/**
 * Serves `/api/health`, and a 503 with the reasons for all else, after a refused start: a supervisor sees a live process that
 * is not ready, an operator reads what blocks it. The route is public, so it has counts and no values. The database is closed,
 * so that a plan can be made and applied.
 */
export async function serveNotReady(
  { host, port }: Pick<Config, 'host' | 'port'>,
  refused: ChangesRefused,
): Promise<NotReadyServer> {
  const notReady = {
    statusCode: 503,
    error: STATUS_CODES[503],
    code: 'definitions-do-not-fit',
    message: [
      'The definitions do not fit the data. The log of the server has the rows',
      ...refused.obstacles.map(obstacleLine),
      ...refused.steps.map(stepLine),
    ],
    steps: refused.steps.map(withoutValues),
    obstacles: refused.obstacles.map(({ kind, resource, field, rows }) => ({ kind, resource, field, rows })),
  }
  const server = createServer((request, response) =>
    request.url?.split('?')[0] === '/api/health' ? answer(response, 200, { status: 'ok' }) : answer(response, 503, notReady),
  )
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, host, done))
  const bound = server.address()
  return {
    address: `http://${host}:${typeof bound === 'object' && bound ? bound.port : port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
