export const storageKeys = {
  /** The token record, shared by all tabs. */
  session: 'ess-console.session',
  /** Push id of this browser; removed on logout. */
  pushId: 'ess-console.push-id',
  /** In session storage: revision of the session record for which this tab has reloaded. */
  reloaded: 'ess-console.reloaded',
  /** Lease of the token refresh, for browsers without Web Locks. */
  lease: 'ess-console.lease',
  /** Last event id and its user; also the name of the channel between tabs. */
  lastEvent: 'ess-console.last-event',
  /** Name of the lock that elects the leader tab. */
  leader: 'ess-console.live-leader',
  /** Registration of this browser as a notification device; removed on logout. */
  device: 'ess-console.device',
  /** In session storage: the notification banner was closed in this tab. */
  pushHidden: 'ess-console.push-hidden',
  /** In session storage: the push fault was reported in this tab. */
  pushFault: 'ess-console.push-fault',
  /** Copy of the last list on screen; removed on logout and on a change of user or role. */
  lastPage: 'ess-console.last-page',
  /** Random token by which the sign-in knows this browser again. */
  signInDevice: 'ess-console.sign-in-device',
} as const
