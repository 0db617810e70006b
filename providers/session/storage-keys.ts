/** Storage keys of the session and its companions. */
export const storageKeys = {
  /** The token record, shared by all tabs. */
  session: 'ess-console.session',
  /** The push registration of this browser; the push provider writes it, logout takes it away. */
  pushId: 'ess-console.push-id',
  /** In session storage: reports about unavailable notifications. */
  reloaded: 'ess-console.reloaded',
  /** Lease of the token refresh, in browsers without Web Locks. */
  lease: 'ess-console.lease',
  /** Position of the live events and its user; also the name of the channel between the tabs. */
  lastEvent: 'ess-console.last-event',
  /** Name of the lock that elects the leader tab. */
  leader: 'ess-console.live-leader',
  /** Registration of this browser as a device for notifications; logout takes it away. */
  device: 'ess-console.device',
  /** In session storage: reports about unavailable notifications. */
  pushHidden: 'ess-console.push-hidden',
  /** In session storage: reports about unavailable notifications. */
  pushFault: 'ess-console.push-fault',
} as const
