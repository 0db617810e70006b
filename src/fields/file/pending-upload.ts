/** Value of a file input during the upload: the form cannot be submitted, and a failed upload restores `before`. */
export class PendingUpload {
  readonly before: unknown
  /** Placeholder that passes the form's checks in place of the file. */
  readonly stand = { id: 'pending' }
  constructor(before: unknown) {
    this.before = before
  }
}
