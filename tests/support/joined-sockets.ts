import type { Socket } from 'node:net'

/** Two sockets that end together, in the set of those that are open. */
export function joinSockets(open: Set<Socket>, near: Socket, far: Socket): void {
  for (const socket of [near, far]) {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      near.destroy()
      far.destroy()
    })
  }
}
