/** One message of an event stream; `id` is the last id received. */
export type SseMessage = { id: string; event: string; data: string }

/**
 * Incremental SSE parser; comments are skipped. Own code, since eventsource-parser 3 drops the id of an event without data,
 * which the standard uses as the resume position.
 */
export class SseParser {
  #rest = ''
  #id = ''
  #event = ''
  #data: string[] = []

  push(text: string): SseMessage[] {
    // A trailing CR may be the first half of a CRLF.
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
