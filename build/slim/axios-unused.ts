/** What axios offers and this console never asks for: forms are sent as FormData, queries are written by our own serializer. */
export default function unused(): never {
  throw new Error('This part of axios is left out of the console: see build/slim.ts')
}
