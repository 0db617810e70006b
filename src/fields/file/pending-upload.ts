/** Value of a file input while the file is on its way: the form refuses to send, and an upload that fails gives back `before`. */
export class PendingUpload {
  readonly before: unknown
  /** Stands in for the file in the checks of the form, which find no other fault in it. */
  readonly stand = { id: 'pending' }
  constructor(before: unknown) {
    this.before = before
  }
}
