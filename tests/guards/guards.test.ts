import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withoutGuard } from './guard.ts'
import { guards } from './guards.ts'

const told = (error: unknown) => [error instanceof Error ? error.message : String(error)]

describe('the guards that tests are tried on each night', () => {
  it('stand once in their file, and their tests are there', () => {
    const faults = guards.flatMap((guard) => {
      const [file, title] = guard.shownBy
      const test = existsSync(`tests/${file}`) ? readFileSync(`tests/${file}`, 'utf8') : ''
      const hasTest = ["'", '"', '`'].some((quote) => test.includes(quote + title + quote))
      try {
        const source = existsSync(guard.file) ? readFileSync(guard.file, 'utf8') : ''
        const isChanged = withoutGuard(source, guard) !== source
        return [
          ...(isChanged ? [] : [`“${guard.against}” changes nothing`]),
          ...(hasTest ? [] : [`${file} has no test “${title}”`]),
        ]
      } catch (error) {
        return told(error)
      }
    })
    expect(faults).toEqual([])
  })

  it('have names of their own', () => {
    const names = guards.map(({ against }) => against)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
