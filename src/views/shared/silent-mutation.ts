/** Options of Refine's mutations where the caller says what came of it, and refreshes the caches. */
export const silentMutation: { successNotification: false; errorNotification: false; invalidates: [] } = {
  successNotification: false,
  errorNotification: false,
  invalidates: [],
}
