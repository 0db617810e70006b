const passes = () => true
const always = () => passes

/** What axios warns developers of: options that are misspelt or of the wrong type, which the compiler finds here. */
export default {
  assertOptions: () => undefined,
  validators: { boolean: passes, function: passes, transitional: always, spelling: always },
}
