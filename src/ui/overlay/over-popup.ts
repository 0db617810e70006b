/** Marks what opens over a popup and belongs to it, though it stands elsewhere in the page: a press there is no press outside. */
export const overPopup = 'ui-over-popup'
