import type { Permissions } from '#schema/permissions.ts'
import type { SessionUser } from '#schema/wire/wire.ts'

/** Loads the snapshot of the current session. */
export type LoadPermissions = (user: SessionUser) => Promise<Permissions>

type Entry = { identity: string; permissions?: Permissions; snapshot?: Promise<Permissions>; isAwaited?: boolean }

/** A changed role is another identity: earlier permissions no longer apply. */
const identityOf = ({ id, email, role }: SessionUser) => JSON.stringify([id, email, role])

/** The permission snapshot of the signed-in user: loaded once per identity, then read synchronously. */
export class PermissionStore {
  readonly #load: LoadPermissions
  #entry: Entry | undefined

  constructor(load: LoadPermissions) {
    this.#load = load
  }

  /** The snapshot, if loaded for exactly this user and role; undefined = nothing is allowed yet. */
  of(user: SessionUser | undefined): Permissions | undefined {
    return user && this.#entry?.identity === identityOf(user) ? this.#entry.permissions : undefined
  }

  /** The snapshot loaded last. */
  current(): Permissions | undefined {
    return this.#entry?.permissions
  }

  /** Single-flight: all callers share one promise; a failed load is not cached. */
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

  /** The snapshot if already loaded; else one promise shared by all render attempts. */
  read(user: SessionUser): Permissions | Promise<Permissions> {
    const known = this.of(user)
    if (known && !this.#entry?.isAwaited) return known
    const snapshot = this.ensure(user)
    if (this.#entry) this.#entry.isAwaited = true
    return snapshot
  }

  /** Clears the store, on logout and before another user's session begins. */
  clear(): void {
    this.#entry = undefined
  }
}
