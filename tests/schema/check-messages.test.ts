import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { brokenChanges } from '#tests/fixtures/broken-changes.ts'
import { brokenDefinitions } from '#tests/fixtures/broken-definitions.ts'
import { brokenFigures } from '#tests/fixtures/broken-figures.ts'
import { brokenFiles } from '#tests/fixtures/broken-files.ts'
import { brokenMoney } from '#tests/fixtures/broken-money.ts'
import { brokenSteps } from '#tests/fixtures/broken-steps.ts'
import { brokenTabs } from '#tests/fixtures/broken-tabs.ts'
import { misleadingDefinitions } from '#tests/fixtures/misleading-definitions.ts'
import { misleadingFacts } from '#tests/fixtures/misleading-facts.ts'
import { misleadingFields } from '#tests/fixtures/misleading-fields.ts'
import { misleadingIneffective } from '#tests/fixtures/misleading-ineffective.ts'
import { misleadingOutcomes } from '#tests/fixtures/misleading-outcomes.ts'
import { misleadingPartFacts } from '#tests/fixtures/misleading-part-facts.ts'
import { knownNames, named, options, rule, site, staff } from '#tests/fixtures/misleading-parts.ts'
import { misleadingPicks } from '#tests/fixtures/misleading-picks.ts'
import { misleadingPointers } from '#tests/fixtures/misleading-pointers.ts'
import { misleadingTexts } from '#tests/fixtures/misleading-texts.ts'

const plain = [...brokenDefinitions, ...brokenChanges, ...brokenFigures, ...brokenFiles, ...brokenMoney]
const misleading = [
  ...misleadingDefinitions,
  ...misleadingFields,
  ...misleadingFacts,
  ...misleadingIneffective,
  ...misleadingOutcomes,
  ...misleadingPicks,
  ...misleadingPointers,
  ...misleadingTexts,
  ...misleadingPartFacts,
]
const known = [...misleading, ...brokenTabs, ...brokenSteps].flatMap(({ resources }) => checkResources(resources, knownNames))
const faults = [...plain.flatMap(({ resources }) => checkResources(resources)), ...known]

const messageOf = (more: object, own: object = {}) =>
  checkResources(site({ ...more }, { ...own }), knownNames).map((one) => one.message)

describe('the message of a fault', () => {
  it('says what may stand there wherever a word is unknown', () => {
    const unknown = faults.filter(({ code }) => code.startsWith('unknown-') && code !== 'unknown-unit')
    expect(unknown.length).toBeGreaterThan(60)
    expect(
      unknown.filter(({ message }) => !/did you mean|choose from|there are none|becomes|drop convert/.test(message)),
    ).toEqual([])
  })

  it('has its articles right, and its path ends at what the file has', () => {
    expect(faults.filter(({ message }) => /\b[Aa] (integer|enum|email)/.test(message))).toEqual([])
    expect(faults.filter(({ path }) => /(sort|facet|place|tone|by|field|ties|group)\[0\]/.test(path))).toEqual([])
  })

  it('names the text that has no translation, and the language', () => {
    const label = (given: unknown) => messageOf({}, { own: { type: 'text', label: given } })
    expect(label(['Note'])).toEqual(["\"Note\" has no Russian text: write ['Note', '…']"])
    expect(label(['Note', ' '])).toEqual(["\"Note\" has no Russian text: write ['Note', '…']"])
    expect(label(['', 'Заметка'])).toEqual(["\"Заметка\" has no English text: write ['…', 'Заметка']"])
    expect(label('Note')).toEqual(["\"Note\" has no Russian text: write ['Note', '…']"])
    expect(label(null)).toEqual(["there is no text: write ['…', '…'], English and Russian"])
    expect(label(['A', 'Б', 'C'])).toEqual(['a label has two texts, English and Russian; here are 3'])
  })

  it('names the units of a moved time, and says which one is missing', () => {
    const preset = (value: string) => messageOf({}, { own: { type: 'date', label: ['Own', 'Своё'], default: value } })
    const units = 'd, w, m or y (days, weeks, months, years)'
    expect(preset('{builtOn}+2q')).toEqual([
      `"{builtOn}+2q" is no time: behind {builtOn}+ stand a number of at most four figures and a unit: ${units}`,
    ])
    expect(preset('$today+30')).toEqual([`"$today+30" has no unit: write "$today+30d", or another one of ${units}`])
  })

  it('is one for a default of a type that takes none', () => {
    const own = { type: 'references', to: 'person', label: ['Own', 'Своё'] }
    for (const value of [['a'], 'a', '$user.id'])
      expect(messageOf({}, { own: { ...own, default: value } })).toEqual([
        expect.stringContaining('a field of type references has no "default"'),
      ])
  })

  it('names each field once', () => {
    const [message = ''] = messageOf(
      {},
      { own: { type: 'reference', to: 'person', label: ['Own', 'Своё'], options: 'person?siteId={qq}' } },
    )
    const [, names = ''] = /choose from (.*)$/.exec(message) ?? []
    expect(names.split(', ').filter((name) => name === 'id')).toEqual(['id'])
  })

  it('says which records a reference means, and who can not pick one', () => {
    const said = misleadingPicks.map(({ resources }) => checkResources(resources, knownNames)[0]?.message)
    expect(said[0]).toContain('it is required of installer, who may not list "person" to pick one; add the role to access.list')
    expect(said[4]).toContain('no call lists or shows a "helper", so every id is refused; choose from site, person')
    expect(said[5]).toContain("did you mean to: 'person', options: 'person?role=site_guard'?")
  })

  it('names the field that a list cannot use, and those that it can', () => {
    const list = (facts: object) => messageOf({ list: facts })
    expect(list({ filters: ['terms'] })).toEqual([
      '"terms" is a json, which cannot be filtered by; choose from name, kind, state, size, builtOn, isOpen, place.room, ownerId, total, id, version, createdAt, createdBy, updatedAt, updatedBy',
    ])
    expect(list({ search: ['size'] })[0]).toMatch(
      /^"size" is an integer, which cannot be searched; choose from name, kind, state, place.room, ownerId/,
    )
    expect(list({ sort: { field: 'terms', order: 'asc' } })[0]).toContain(
      '"terms" is a json, which cannot be sorted by; choose from',
    )
    expect(list({ filters: ['qqqqqq'] })[0]).toContain('there is no field "qqqqqq"; choose from name, kind, state')
  })

  it('names operators that suit a field, and takes those of several values', () => {
    const several = { ownIds: named('references', { to: 'person' }), marks: named('tags', { options }) }
    const scope = (moderator: unknown) => messageOf({ access: { list: staff }, scope: { moderator } }, several)
    for (const fine of [
      rule('ownIds', 'eq', '$user.id'),
      rule('ownIds', 'nin', ['u1', '$record.ownerId']),
      { all: [rule('marks', 'eq', 'A'), rule('marks', 'eq', 'B'), { not: rule('marks', 'null', true) }] },
    ])
      expect(scope(fine)).toEqual([])
    expect(scope(rule('ownIds', 'gte', '$user.id'))).toEqual([
      'a references cannot be compared by "gte"; ask for one that is among them by "eq" or "in", for none by "ne" or "nin"',
    ])
    expect(scope(rule('terms', 'eq', 'x'))).toEqual([
      'a json cannot be compared by "eq"; ask whether it is empty by "null", or name another field',
    ])
    expect(scope(rule('kind', 'gt', 'A'))[0]).toContain('; name its values by "eq" or "in"')
    expect(scope(rule('marks', 'eq', 'C'))[0]).toContain('there is no option "C"')
    expect(scope(rule('ownIds', 'eq', true))[0]).toContain('and not true')
    for (const never of [
      [rule('marks', 'eq', 'A'), rule('marks', 'ne', 'A')],
      [rule('marks', 'in', ['A']), rule('marks', 'null', true)],
    ])
      expect(scope({ all: never })[0]).toContain('no value of "marks" fulfils it')
  })

  it('prints the cycle of conditions and of defaults that read one another', () => {
    const one = named('text', { when: rule('two', 'eq', 'x') })
    const two = named('text', { when: rule('three', 'eq', 'x') })
    const three = named('text', { when: rule('one', 'eq', 'x') })
    expect(messageOf({}, { one, two, three })[0]).toContain('one → two → three → one')
    const [first] = messageOf({}, { one: named('text', { default: '{two}' }), two: named('text', { default: '{one}' }) })
    expect(first).toContain('one → two → one')
  })

  it('names the filter that was meant, in a figure and a count of the menu, too', () => {
    const messages = (filters: object) => {
      const figure = { place: 'tidy', tone: 'warn', label: ['Open', 'Открытые'], filters }
      const count = { filters, tone: 'warn', label: ['open', 'открытых'] }
      return [
        ...messageOf({ figures: { open: figure } }),
        ...messageOf({ menu: { group: 'fleet', count } }),
        ...messageOf({ list: { views: { open: { label: ['Open', 'Открытые'], filters } } } }),
      ]
    }
    const all = (message: string) => [message, message, message]
    expect(messages({ state: 'OPNE' })).toEqual(all('there is no state "OPNE"; did you mean "OPEN"?'))
    expect(messages({ buildOn_lte: '$today' })).toEqual(all('site has no field "buildOn"; did you mean "builtOn"?'))
    expect(messages({ builtOn_before: '$today' })).toEqual(all('a filter has no ending "_before"; did you mean "builtOn_lte"?'))
    expect(messages({ builtOn_lte: '$today+3m' })).toEqual(
      all('"$today+3m" is no distance: write it in days, like "$today+90d" or "$today-7d"'),
    )
    expect(messages({ builtOn_lte: '$today+90d' })).toEqual([])
  })

  it('knows a type by its sound', () => {
    expect(messageOf({}, { own: named('fone') })).toEqual(['there is no field type "fone"; did you mean "phone"?'])
  })

  it('is one for a name that two definitions have, and says which they are', () => {
    const [first, person] = site()
    const other = { ...Object(first), label: { one: ['Place', 'Место'], many: ['Places', 'Места'] } }
    const found = checkResources([first, other, person, { ...Object(first), name: 'visit', title: 'nme' }], knownNames)
    expect(found.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'resources[1].name duplicate-name',
      'visit.title unknown-title',
      'visit.fields.total.derived nothing-computes',
    ])
    expect(found[0]?.message).toContain('that of ["Site","Объект"] and that of ["Place","Место"]')
  })

  it('says how names change places, and what to do with stored files', () => {
    const note = named('text', { was: 'name' })
    const [swapped] = messageOf({}, { own: note })
    expect(swapped).toContain(
      '"name" is a name of today, so nothing was called so before; names that change places take two plans',
    )
    expect(swapped).toContain('give each a new name, apply, then give it the name of the other')
    for (const [from, to] of [
      ['file', 'files'],
      ['files', 'file'],
    ])
      expect(messageOf({}, { own: named('text', { convert: { from } }) })).toEqual([
        `a ${from} becomes ${to}, and no text; keep the old field as it is and take a new one beside it, filled by hand`,
      ])
  })

  it('guesses only what is near, and lists the choices else', () => {
    expect(messageOf({}, { own: named('enum', { options, default: 'C' }) })).toEqual([
      '"C" is no value of this enum; choose from A, B',
    ])
    expect(messageOf({}, { own: named('integer', { min: 1, max: 9, default: 12 }) })).toEqual([
      '12 is no value of this integer: Must be 9 or less',
    ])
    expect(messageOf({ access: { list: ['administrator'] } })[0]).toContain('did you mean "admin"?')
    expect(messageOf({ list: { columns: ['date'] } })[0]).toContain('choose from name, kind')
  })
})

describe('the words of a fault', () => {
  const label = { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] }
  const messagesOf = (definition: object) =>
    checkResources([{ name: 'site', label, ...definition }]).map(({ message }) => message)

  it('say of a name that is too long that it is, and how long it may be', () => {
    const long = 'a'.repeat(58)
    expect(messagesOf({ fields: { [long]: { type: 'text', label: label.one } } })).toEqual([
      `"${long}" is too long for the name of a field: 58 letters, and 57 are possible`,
    ])
    const name = 'b'.repeat(51)
    expect(messagesOf({ name, fields: { code: { type: 'text', label: label.one } } })).toEqual([
      `"${name}" is too long for the name of a resource: 51 letters, and 50 are possible`,
    ])
  })

  it('say of a default of another type that it is none, and not what rules say of it', () => {
    const fields = {
      num: { type: 'integer', label: label.one, default: '7' },
      other: { type: 'integer', label: label.one, default: 1 },
    }
    const bounds = { any: [rule('num', 'lt', 5), rule('num', 'gt', 9)] }
    const rules = [{ rule: { all: [bounds, rule('other', 'gt', 0)] }, at: 'other', message: label.one }]
    expect(messagesOf({ fields, rules })).toEqual(['"7" is no value of this integer: Use a number'])
    expect(messagesOf({ fields: { ...fields, num: { ...fields.num, default: 7 } }, rules })).toEqual([
      'a new record would begin with num = 7, other = 1, which `rules` refuse',
    ])
  })
})
