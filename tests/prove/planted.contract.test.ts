import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { fileFieldsOf, givesFilesBack, refusesWrongFiles } from './file-checks.ts'
import { hutWith } from './planted-definitions.ts'
import type { Proven } from './proven.ts'
import { referenceFieldsOf, refusesWrongReferences } from './reference-checks.ts'
import { judged, trialsOf } from './step-trials.ts'
import { stateFieldOf } from './steps.ts'
import { Subject } from './subject.ts'
import { unwritten } from './unwritten.ts'
import { givesBack, keepsChanges, openFieldsOf, refusesOutOfBounds } from './value-checks.ts'

const states = {
  OPEN: { tone: 'good', label: ['Open', 'Открыта'], next: ['SHUT', 'GONE'] },
  SHUT: { tone: 'idle', label: ['Shut', 'Закрыта'], next: ['OPEN', 'GONE'] },
  GONE: { tone: 'bad', label: ['Gone', 'Разобрана'], next: ['OPEN', 'SHUT'] },
} as const
const label = ['Field', 'Поле'] as const
const steps = {
  type: 'status',
  label,
  default: 'OPEN',
  states: {
    OPEN: { ...states.OPEN, next: ['SHUT'] },
    SHUT: { ...states.SHUT, next: ['GONE'] },
    GONE: { tone: 'bad', label: ['Gone', 'Разобрана'] },
  },
} as const
const loosely = { type: 'status', label, default: 'OPEN', states } as const
const shut = { label: ['Shut', 'Закрыть'], set: { state: 'SHUT' } } as const

describe.each(oneEngine(import.meta.filename))('a planted fault on $name', (engine) => {
  let subject: Subject | undefined
  afterEach(async () => {
    await subject?.server.close()
    subject = undefined
  })

  const opened = async (served: Proven, of = hutWith()): Promise<Subject> => {
    subject = await Subject.open(engine, of, served)
    return subject
  }
  const scopedOf = async (of: Proven) => {
    const one = await opened(of, of)
    const bringTo: Subject['bringTo'] = (...args) => one.bringTo(...args)
    return { server: one.server, made: () => one.made(), bringTo }
  }
  const field = <T extends { name: string }>(fields: readonly T[], name: string): T => {
    const found = fields.find((one) => one.name === name)
    if (!found) throw new Error(`no field ${name}`)
    return found
  }
  const open = openFieldsOf(hutWith())
  const photo = field(fileFieldsOf(hutWith()), 'photo')
  const papers = field(fileFieldsOf(hutWith()), 'papers')
  const keeper = field(referenceFieldsOf(hutWith()), 'keeperId')

  const stepFaults = async (served: Proven, of = hutWith()): Promise<string[]> => {
    const { maker } = await opened(served, of)
    const state = stateFieldOf(of.resource)
    if (!state) throw new Error('no state')
    const { trials } = await trialsOf(maker, state)
    return trials.flatMap((trial) => {
      const { fault } = judged(maker, state, trial)
      return fault ? [`${trial.step.name} from ${trial.before.state}: ${fault.split('{')[0]}`] : []
    })
  }

  it('is found nowhere where the server keeps to the definition', async () => {
    const sound = await opened(hutWith())
    await givesBack(sound, open)
    await keepsChanges(sound, open)
    await refusesOutOfBounds(sound, open)
    await refusesWrongReferences(sound, keeper)
    for (const one of [photo, papers]) {
      await refusesWrongFiles(sound, one)
      await givesFilesBack(sound, one)
    }
    const state = stateFieldOf(sound.proven.resource)
    const { trials, unreached } = await trialsOf(sound.maker, state ?? expect.fail())
    expect(trials.map((trial) => judged(sound.maker, state ?? expect.fail(), trial)).filter(({ fault }) => fault)).toEqual([])
    expect([trials.length, unreached]).toEqual([15, []])
  })

  it.each(['keeperId', 'guestIds', 'photo', 'papers'])('is found where %s of a new record is lost', async (name) => {
    const lost = await opened(hutWith({}, { hut: { beforeCreate: async (values) => ({ ...values, [name]: null }) } }))
    await expect(givesBack(lost, open)).rejects.toThrow(name)
  })

  it.each(['keeperId', 'guestIds', 'photo', 'papers'])('is found where a change of %s is lost', async (name) => {
    const rules = { hut: { beforeUpdate: async ({ [name]: _, ...rest }: Record<string, unknown>) => rest } }
    await expect(keepsChanges(await opened(hutWith({}, rules)), open)).rejects.toThrow(name)
  })

  it('is found where a reference takes any text, or what its options leave out', async () => {
    const anything = await opened(hutWith({ fields: { keeperId: { type: 'text', label } } }))
    await expect(refusesWrongReferences(anything, keeper)).rejects.toThrow('no-such-record')
    await anything.server.close()
    const offered = await opened(hutWith({ fields: { keeperId: { type: 'reference', label, to: 'user' } } }))
    await expect(refusesWrongReferences(offered, keeper)).rejects.toThrow('not-offered')
  })

  it.each(['create', 'edit'] as const)('is found where a role may %s a reference that is closed to it', async (verb) => {
    const person = { label, to: 'user', access: { write: ['admin'] } } as const
    for (const [name, field] of Object.entries<Field>({
      keeperId: { type: 'reference', options: 'user?firstName=Ann', ...person },
      guestIds: { type: 'references', ...person },
    })) {
      const closed = hutWith({ fields: { [name]: field } })
      if (verb === 'edit') closed.resource.access = { ...closed.resource.access, create: ['admin'] }
      const cell = async (served: Proven) => {
        await subject?.server.close()
        const one = await opened(served, closed)
        await unwritten(one, { name, field, role: 'moderator', record: await one.made() })
      }
      await cell(closed)
      await expect(cell(hutWith())).rejects.toThrow(verb === 'edit' ? 'a change' : 'a new record')
    }
  })

  it('is found where a field takes more items than it may', async () => {
    const many = await opened(hutWith({ fields: { guestIds: { type: 'references', label, to: 'user', maxItems: 9 } } }))
    await expect(refusesOutOfBounds(many, open)).rejects.toThrow('guestIds too many')
  })

  it.each([
    ['type', { accept: undefined, maxBytes: 5_000 }, 'one of a forbidden type'],
    ['size', { accept: '.png', maxBytes: 9_000 }, 'one that is too large'],
  ] as const)('is found where files of any %s are taken', async (_what, facts, text) => {
    const { accept, maxBytes } = facts
    const served = hutWith({ fields: { photo: { type: 'file', label, maxBytes, ...(accept ? { accept } : {}) } } })
    await expect(refusesWrongFiles(await opened(served), photo)).rejects.toThrow(text)
  })

  it('is found where another file is read than was sent', async () => {
    const other = await opened(hutWith())
    await other.server.select(
      `create function other_bytes() returns trigger as 'begin new."content" := ''x''; return new; end' language plpgsql`,
    )
    await other.server.select('create trigger other before insert on "storedFile" for each row execute function other_bytes()')
    await expect(givesFilesBack(other, papers)).rejects.toThrow('the bytes that are read')
  })

  it('is found where an action leaves the state as it is', async () => {
    const idle = { hut: { actions: { shut: async () => {} } } }
    expect(await stepFaults(hutWith({}, idle))).toEqual(['shut from OPEN: the record is OPEN and not SHUT'])
  })

  it('is found where an action asks for no state, or a state follows every other', async () => {
    expect(await stepFaults(hutWith({ actions: { shut } }))).toEqual([
      'shut from SHUT: it goes through, action.wrong-state is expected',
      'shut from GONE: it is refused as transition and not as action.wrong-state: 409 ',
    ])
    await subject?.server.close()
    const found = await stepFaults(hutWith({ fields: { state: loosely }, actions: { shut } }))
    expect(found).toContain('shut from GONE: it goes through, action.wrong-state is expected')
    expect(found).toContain('the form to GONE from OPEN: it goes through, transition is expected')
  })

  it('is found nowhere where the values of a form have to keep a rule together with the record', async () => {
    const form = { leftOn: { type: 'date', label, required: true } } as const
    const remove = { label, set: { state: 'GONE' }, when: { field: 'state', op: 'eq', value: 'SHUT' }, form } as const
    const fields = { builtOn: { type: 'date', label, required: true }, leftOn: { type: 'date', label } } as const
    const rule = { field: 'leftOn', op: 'gt', value: '$record.builtOn' } as const
    const rules = [
      { rule: { any: [{ field: 'leftOn', op: 'null', value: true }, rule] }, at: 'leftOn', message: ['Later', 'Позже'] },
    ] as const
    const ruled = hutWith({ fields, actions: { remove }, rules })
    expect(await stepFaults(ruled, ruled)).toEqual([])
  })

  it('is found nowhere where a form asks for the reason of a state that only this state has', async () => {
    const isGone = { field: 'state', op: 'eq', value: 'GONE' } as const
    const why = { type: 'text', label, required: isGone, when: isGone } as const
    const of = hutWith({ fields: { why }, actions: { remove: { ...shut, set: {} } } })
    expect(await stepFaults(of, of)).toEqual([])
  })

  it('is looked for behind steps that ask for a file and a reference', async () => {
    const filled = (field: string) => ({ field, op: 'null', value: false }) as const
    const isOpen = { field: 'state', op: 'eq', value: 'OPEN' } as const
    const when = { all: [isOpen, filled('photo'), filled('papers'), filled('keeperId')] } as const
    const of = hutWith({ fields: { state: { ...steps, readOnly: true } }, actions: { shut: { ...shut, when } } })
    const { maker } = await opened(of, of)
    const { trials, unreached } = await trialsOf(maker, stateFieldOf(of.resource) ?? expect.fail())
    expect(unreached).toEqual([])
    expect(trials.filter(({ answer }) => answer && answer.status < 300).map(({ step }) => step.name)).toEqual([
      'shut',
      'remove',
    ])
  })

  it('is looked for with records that a scope lets a role see', async () => {
    const own = { field: 'keeperId', op: 'eq', value: '$user.id' } as const
    const inState = { field: 'state', op: 'in', value: ['SHUT', 'GONE'] } as const
    const of = hutWith({ scope: { client: { all: [own, inState] } } })
    const { server, made, bringTo } = await scopedOf(of)
    const { id } = await made()
    const status = async () => (await server.get(`hut/${id}`, 'client:c1')).status
    expect(await status()).toBe(404)
    await bringTo(id, { role: 'client', userId: 'c1', kept: 'state' })
    expect(await status()).toBe(404)
    await bringTo(id, { role: 'client', userId: 'c1' })
    expect(await status()).toBe(200)
  })

  it('is looked for nowhere where no record can be made, and the reason is told', async () => {
    const keeperId = { type: 'reference', label, to: 'user', required: true, options: 'user?createdAt_gte=2099-01-01' } as const
    const of = hutWith({ fields: { keeperId } })
    const { creator, unmade } = await opened(of, of)
    expect(creator).toBeUndefined()
    expect(unmade).toContain('user?createdAt_gte=2099-01-01 offers nothing')
  })

  it('is told with the answer and the values that were sent', async () => {
    const form = { note: { type: 'text', label, required: true } } as const
    const asking = (more: object) =>
      hutWith({ fields: { note: { type: 'text', label } }, actions: { shut: { ...shut, form, ...more } } })
    const of = asking({ when: { field: 'state', op: 'eq', value: 'OPEN' } })
    const { maker } = await opened(asking({}), of)
    const state = stateFieldOf(of.resource) ?? expect.fail()
    const { trials } = await trialsOf(maker, state)
    const found = trials.flatMap((trial) => judged(maker, state, trial).fault ?? [])
    expect(found.join('\n')).toMatch(/: 409 .*"code":"transition".*; sent was \{"note":"[A-Z]\d+","version":\d+\}/)
  })

  it('is found where an allowed action is refused, and where one leads to a state that does not follow', async () => {
    const never = { label: ['Shut', 'Закрыть'], set: { state: 'SHUT' }, when: { field: 'name', op: 'eq', value: 'x' } } as const
    expect(await stepFaults(hutWith({ actions: { shut: never } }))).toEqual(['shut from OPEN: it is allowed and refused: 409 '])
    await subject?.server.close()
    const away = { label: ['Lose', 'Потерять'], when: { field: 'state', op: 'eq', value: 'OPEN' } } as const
    const lose = async ({ id, work }: { id: string; work: { db: Parameters<ReturnType<typeof sql>['execute']>[0] } }) => {
      await sql`update "hut" set "state" = 'GONE' where "id" = ${id}`.execute(work.db)
    }
    const astray = hutWith({ actions: { lose: away } }, { hut: { actions: { lose } } })
    expect(await stepFaults(astray, astray)).toEqual(['lose from OPEN: the record is GONE, which does not follow OPEN'])
  })
})
