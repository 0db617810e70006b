import { readFileSync } from 'node:fs'

/** Loaded before a server: its clock runs ahead by as many milliseconds as the file says, so that a test need not wait. */
const file = process.env.CLOCK_AHEAD_FILE ?? ''
const RealDate = Date
let aheadMs = 0

const read = () => {
  aheadMs = Number(readFileSync(file, 'utf8'))
}
read()
setInterval(read, 100).unref()

globalThis.Date = class extends RealDate {
  /** @param {...unknown} given */
  constructor(...given) {
    super(...(given.length > 0 ? given : [RealDate.now() + aheadMs]))
  }
  static now() {
    return RealDate.now() + aheadMs
  }
}
