import type { Field } from '#schema/field-types.ts'
import { contentFault, type FileFacts, sizeFault, usualFileBytes } from '#schema/files.ts'
import { invalid, problem } from '#server/base/problems.ts'
import type { FileRules } from './receive-file.ts'

/** Limits of a field on size, type and first bytes; every refusal names the field. */
export function rulesOfField(path: string, field: Field & FileFacts): FileRules {
  const { maxBytes = usualFileBytes, label } = field
  const shown = (fault: { code: string }) => ({ path, label, ...fault })
  return {
    maxBytes,
    onlyFile: () => invalid([shown({ code: 'required' })]),
    tooLarge: () => problem('file.too-large', { faults: [{ ...shown({ code: 'file-too-big' }), params: { maxBytes } }] }),
    refusalOf: (name, head) => {
      const fault = head.length === 0 ? sizeFault(field, 0) : contentFault(field, name, head)
      return fault && invalid([shown(fault)])
    },
  }
}
