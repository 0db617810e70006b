import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { flowCode } from '#fields/structure/flow-code.ts'
import { powerFields, powerLines } from '#resources/shared/power-flow.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { Language } from '#schema/words.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { people, toy } from '#tests/support/toy-resource.ts'

// A list has its code before its rows are drawn.
beforeAll(async () => {
  // Not answered: what a hook answers is called when all is over.
  await flowCode.preload()
})
afterEach(cleanup)
expectQuietConsole()

const definitions = definitionsOf([toy, people])
const field: Field = {
  type: 'group',
  label: ['Flow', 'Поток'],
  fields: powerFields,
  flow: { restBelow: 10, parts: powerLines },
}

function draw(flow: Record<string, number | null>, language: Language) {
  render(
    <DefinitionsProvider
      definitions={definitions}
      permissions={permissionsFor(definitions, 'admin')}
      viewer={{ id: 'me', role: 'admin' }}
      language={language}
      zone="UTC"
    >
      <FieldDisplay field={field} path="flow" row={{ flow }} place="cell" />
    </DefinitionsProvider>,
  )
}

function flowOf(flow: Record<string, number | null>, language: Language = 'en') {
  draw(flow, language)
  const drawn = screen.getByRole('img')
  const lines = [...drawn.querySelectorAll('.field-flow-line')]
  return {
    name: drawn.getAttribute('aria-label'),
    text: drawn.textContent,
    ways: lines.map((line) => /field-flow-(in|out|rest)/.exec(line.className)?.[1]),
  }
}

describe('a flow in a cell', () => {
  it('says what gives and what takes, in words and in the unit of the strongest', () => {
    expect(flowOf({ pvPowerW: 3_210, gridPowerW: -480, batteryPowerW: -900, loadPowerW: 1_830 })).toEqual({
      name: 'Solar 3.21 kW, Grid export 480 W, Battery charging 900 W, Load 1.83 kW',
      text: '3.20.50.91.8kW',
      ways: ['in', 'out', 'out', 'out'],
    })
  })

  it('shows noise as rest, and what is not known as nothing', () => {
    expect(flowOf({ pvPowerW: 4, gridPowerW: 250, batteryPowerW: null, loadPowerW: 246 }, 'ru')).toEqual({
      name: 'Солнце 4 Вт, Сеть из сети 250 Вт, Нагрузка 246 Вт',
      text: '250246Вт',
      ways: ['rest', 'in', 'rest', 'out'],
    })
  })

  it('shows as rest what its unit shows as 0, and a dash where nothing is known', () => {
    expect(flowOf({ pvPowerW: 40, gridPowerW: 150_000, batteryPowerW: null, loadPowerW: 150_040 })).toMatchObject({
      text: '150150kW',
      ways: ['rest', 'in', 'rest', 'out'],
    })
    cleanup()
    draw({ pvPowerW: null, gridPowerW: null, batteryPowerW: null, loadPowerW: null }, 'en')
    expect(screen.queryByRole('img')).toBeNull()
    expect(document.body.textContent).toBe('—No value')
  })
})
