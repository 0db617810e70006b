import type { Permissions } from '#schema/permissions.ts'
import type { SessionUser } from '#schema/wire/wire.ts'

/** Loads the snapshot of the session that is alive now. */
export type LoadPermissions = (user: SessionUser) => Promise<Permissions>

type Entry = { identity: string; permissions?: Permissions; snapshot?: Promise<Permissions>; isAwaited?: boolean }

/** A changed role is another identity: what was allowed before does not count any more. */
const identityOf = ({ id, email, role }: SessionUser) => JSON.stringify([id, email, role])

/** The permission snapshot of the signed-in user: asked for once per identity, then read without waiting. */
export class PermissionStore {
  readonly #load: LoadPermissions
  #entry: Entry | undefined

  constructor(load: LoadPermissions) {
    this.#load = load
  }

  /** The snapshot, if it has come for exactly this user in this role; undefined = nothing is allowed yet. */
  of(user: SessionUser | undefined): Permissions | undefined {
    return user && this.#entry?.identity === identityOf(user) ? this.#entry.permissions : undefined
  }

  /** The snapshot of the last user it was loaded for. */
  current(): Permissions | undefined {
    return this.#entry?.permissions
  }

  /** The user's snapshot, one and the same promise for all askers; a failed one is forgotten. */
  ensure(user: SessionUser): Promise<Permissions> {
    const identity = identityOf(user)
    if (this.#entry?.identity === identity && this.#entry.snapshot) return this.#entry.snapshot
    const entry: Entry = { identity }
    entry.snapshot = this.#load(user).then(
      (permissions) => {
        entry.permissions = permissions
        return permissions
      },
      (error: unknown) => {
        if (this.#entry === entry) this.#entry = undefined
        throw error
      },
    )
    this.#entry = entry
    return entry.snapshot
  }

  /** The snapshot if it came before the first drawing; else the promise, one and the same for every try to draw. */
  read(user: SessionUser): Permissions | Promise<Permissions> {
    const known = this.of(user)
    if (known && !this.#entry?.isAwaited) return known
    const snapshot = this.ensure(user)
    if (this.#entry) this.#entry.isAwaited = true
    return snapshot
  }

  /** Forgets everything, on logout and before another user's session begins. */
  clear(): void {
    this.#entry = undefined
  }
}
