/** The time under the cursor, shared by all charts of a page and their legends. */
export class CursorStore {
  #at: number | undefined
  #pinned: number | undefined
  readonly #listeners = new Set<() => void>()

  /** The hovered time, else the pinned one, else undefined. */
  get at(): number | undefined {
    return this.#at ?? this.#pinned
  }

  get isPointing(): boolean {
    return this.#at !== undefined
  }

  point(at: number | undefined): void {
    if (this.#at === at) return
    this.#at = at
    this.#tell()
  }

  /** Default position of the cursor. */
  pin(at: number | undefined): void {
    if (this.#pinned === at) return
    this.#pinned = at
    this.#tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
