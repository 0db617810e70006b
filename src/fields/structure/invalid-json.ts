/** Value of a JSON input with invalid text: the form keeps it and refuses to send. */
export class InvalidJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
