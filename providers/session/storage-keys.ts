/** Where the session, and what hangs on it, lives in the browser's storage. */
export const storageKeys = {
  /** The token record, shared by all tabs. */
  session: 'ess-console.session',
  /** The push registration of this browser; the push provider writes it, logout takes it away. */
  pushId: 'ess-console.push-id',
  /** In the tab's own storage: the record for which the tab has already reloaded. */
  reloaded: 'ess-console.reloaded',
  /** Who is refreshing, in browsers without Web Locks. */
  lease: 'ess-console.lease',
  /** Up to where the live events have been read, and by whom; also the name of the channel between the tabs. */
  lastEvent: 'ess-console.last-event',
  /** Which tab reads them: the name of its lock. */
  leader: 'ess-console.live-leader',
  /** What the server knows of this browser as a device for notifications. */
  device: 'ess-console.device',
  /** In the tab's own storage: the banner about notifications was closed. */
  pushHidden: 'ess-console.push-hidden',
  /** In the tab's own storage: what was said about notifications that can not be had. */
  pushFault: 'ess-console.push-fault',
} as const
