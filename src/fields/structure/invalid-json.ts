/** What stands in a JSON input while it cannot be read: the form keeps it and refuses to be sent. */
export class InvalidJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
