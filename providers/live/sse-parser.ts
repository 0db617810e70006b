/** One message of an event stream; `id` is the last one that the stream has given. */
export type SseMessage = { id: string; event: string; data: string }

/**
 * Cuts the text of an event stream into messages, however it was split on the way. Comments are left out.
 * eventsource-parser 3 forgets the id of an event without data; the standard keeps it as the place to go on from.
 */
export class SseParser {
  #rest = ''
  #id = ''
  #event = ''
  #data: string[] = []

  push(text: string): SseMessage[] {
    // A CR at the very end may be the first half of a CRLF.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#end() : this.#take(line)))
  }

  #take(line: string): [] {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    return []
  }

  #end(): SseMessage[] {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#event = ''
    this.#data = []
    return isEmpty ? [] : [message]
  }
}
