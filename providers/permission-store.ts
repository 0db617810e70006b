import type { Permissions } from '#schema/permissions.ts'
import type { SessionUser } from '#schema/wire/wire.ts'

/** Loads the snapshot of the current session. */
export type LoadPermissions = (user: SessionUser) => Promise<Permissions>

type Entry = { identity: string; permissions?: Permissions; snapshot?: Promise<Permissions>; isAwaited?: boolean }
type Failed = { identity: string; snapshot: Promise<Permissions>; atMs: number }

/** A screen that waits is rendered again with what it waited for; only a person asks again, and later. */
const sameRenderMs = 1_000

/** A changed role is another identity: earlier permissions no longer apply. */
const identityOf = ({ id, email, role }: SessionUser) => JSON.stringify([id, email, role])

/** The permission snapshot of the signed-in user: loaded once per identity, then read synchronously. */
export class PermissionStore {
  readonly #load: LoadPermissions
  #entry: Entry | undefined
  #failed: Failed | undefined

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
    const snapshot: Promise<Permissions> = this.#load(user).then(
      (permissions) => {
        entry.permissions = permissions
        return permissions
      },
      (error: unknown) => {
        if (this.#entry === entry) this.#entry = undefined
        this.#failed = { identity, snapshot, atMs: performance.now() }
        throw error
      },
    )
    entry.snapshot = snapshot
    this.#entry = entry
    return snapshot
  }

  /** The snapshot if already loaded; else one promise shared by all render attempts, also when it has failed. */
  read(user: SessionUser): Permissions | Promise<Permissions> {
    const known = this.of(user)
    if (known && !this.#entry?.isAwaited) return known
    const failed = this.#failed
    if (failed?.identity === identityOf(user) && performance.now() - failed.atMs < sameRenderMs) return failed.snapshot
    const snapshot = this.ensure(user)
    if (this.#entry) this.#entry.isAwaited = true
    return snapshot
  }

  /** Clears the store, on logout and before another user's session begins. */
  clear(): void {
    this.#entry = undefined
  }
}
