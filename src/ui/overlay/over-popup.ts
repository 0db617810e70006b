/**
 * Class of a layer that belongs to a popup but is rendered elsewhere in the document: a click in it does not count as outside.
 */
export const overPopup = 'ui-over-popup'
