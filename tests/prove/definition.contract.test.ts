import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { isWritable } from '#schema/definition.ts'
import { isSentAlone } from '#schema/field-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { embedded, engines, postgres, type TestEngine } from '#tests/support/databases.ts'
import { actionCells } from './action-cells.ts'
import { fieldCells } from './field-cells.ts'
import { fileFieldsOf, givesFilesBack, refusesWrongFiles } from './file-checks.ts'
import { isNeeded, proven } from './proven.ts'
import { referenceFieldsOf, refusesWrongReferences } from './reference-checks.ts'
import { wrongValues } from './samples.ts'
import { handOver, handOverUnmade, skipCheck } from './skipped-checks.ts'
import { stepChecks } from './step-checks.ts'
import { at, fields, mayDo, resource, Subject } from './subject.ts'
import { faultsIn } from './transport.ts'
import { givesBack, keepsChanges, openFieldsOf, refusesOutOfBounds } from './value-checks.ts'
import { verbCells } from './verb-cells.ts'

const wanted = process.env.PROVE_ENGINE ?? 'pglite'
const choices: Readonly<Record<string, readonly TestEngine[]>> = { pglite: [embedded], postgres: [postgres], both: engines }
const chosen = choices[wanted]
if (!chosen) throw new Error(`PROVE_ENGINE=${wanted}: use pglite, postgres or both`)

if (wanted === 'both' && chosen.length < 2) skipCheck('PostgreSQL', 'this machine has none: set TEST_DATABASE_URL')
const open = openFieldsOf(proven)
const [fileFields, referenceFields] = [fileFieldsOf(proven), referenceFieldsOf(proven)]
const isOfFile = fields.some(([, field]) => isSentAlone(field))
if (isOfFile) skipCheck('values of a new record', 'it is made of a file and nothing else')
for (const [name, field] of open) if (wrongValues(field).length === 0) skipCheck(`${name}, out of bounds`, 'it takes any value')
const status = fields.find(([, field]) => field.type === 'status' && isWritable(field, 'edit') && mayDo('edit').length > 0)

describe.each(chosen)(`the definition ${resource.name} on $name`, (engine) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await Subject.open(engine)
  }, 120_000)
  afterAll(async () => {
    await subject?.server.close()
    if (subject?.unmade !== undefined) handOverUnmade(resource.name, subject.unmade)
    if (engine === chosen.at(-1)) handOver(resource.name)
  })

  verbCells(() => subject)

  it.runIf(!isOfFile)('gives back what was written', async () => {
    subject.mustMake('values of a new record')
    await givesBack(subject, open)
  })
  it('keeps a change, and what it leaves out', async () => {
    subject.mustMake('changes')
    await keepsChanges(subject, open)
  })
  it.runIf(!isOfFile)('refuses at its field what is out of bounds, in both languages', async () => {
    subject.mustMake('bounds')
    await refusesOutOfBounds(subject, open)
  })

  it.runIf(!isOfFile)('asks for what is required, and for each of it', async () => {
    subject.mustMake('required fields')
    for (const [name] of open.filter(([, field]) => isNeeded(field))) {
      const { [name]: _, ...rest } = await subject.body()
      const answer = await subject.server.post(at('', 'create'), rest, subject.creator)
      const faults = faultsIn(answer).map((path) => path.split('.')[0])
      expect([answer.status, faults], `${name}: ${answer.text}`).toEqual([400, expect.arrayContaining([name])])
    }
  })

  describe.runIf(referenceFields.length > 0)('points to what there is and what is offered', () => {
    it.each(referenceFields)('by $name', async (field) => {
      subject.mustMake('references')
      await refusesWrongReferences(subject, field)
    })
  })
  describe.runIf(fileFields.length > 0)('keeps files', () => {
    it.each(fileFields)('of $name as they were sent', async (field) => {
      subject.mustMake('files')
      await givesFilesBack(subject, field)
    })
    it.each(fileFields)('of $name that its facts allow, and no others', async (field) => refusesWrongFiles(subject, field))
  })

  it.runIf(status)('changes its state by the form only along the transitions', async () => {
    const [name, field] = status ?? []
    if (!name || field?.type !== 'status') return
    subject.mustMake('transitions by the form')
    const states = Object.keys(field.states)
    for (const from of states)
      for (const to of states.filter((state) => state !== from)) {
        const { id } = await subject.made()
        await subject.server.select(`update "${tableOf(resource)}" set "${name}" = '${from}' where "id" = '${id}'`)
        const answer = await subject.server.put(at(id, 'edit'), { [name]: to, version: 1 }, subject.creator)
        const isStep = field.states[from]?.next?.includes(to)
        // A step may ask for more: then it is refused with a reason of its own, and not as a step.
        if (isStep) expect(answer.body.code, `${from} → ${to}: ${answer.text}`).not.toBe('transition')
        else expect([answer.status, answer.body.code], `${from} → ${to}: ${answer.text}`).toEqual([409, 'transition'])
      }
  })

  stepChecks(() => subject)
  fieldCells(() => subject)
  actionCells(() => subject)

  it('says everything in both languages', () => {
    const hints = checkHints([resource])
    const drafts = hints.filter(({ code }) => code === 'untranslated')
    if (drafts.length > 0) skipCheck('texts in Russian', `${drafts.length} are drafts and wait for a translation`)
    const same = hints.filter(({ code }) => code === 'same-text')
    if (same.length > 0) expect.fail(same.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  })
})
