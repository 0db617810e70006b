/** The NOTIFY channel of changes: the payload is the id of the event and the name of its resource. */
export const eventChannel = 'event'
