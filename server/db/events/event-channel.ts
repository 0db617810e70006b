/** NOTIFY channel of changes; the payload is the event id and its resource. */
export const eventChannel = 'event'
