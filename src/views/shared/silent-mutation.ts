/** Options of Refine mutations whose caller notifies and invalidates itself. */
export const silentMutation: { successNotification: false; errorNotification: false; invalidates: [] } = {
  successNotification: false,
  errorNotification: false,
  invalidates: [],
}
