import { describe, expect, it } from 'vitest'
import { sections } from '#build/early-sections.ts'
import { scriptsFor } from '#build/early-start.ts'
import { fleetStaff } from '#schema/roles.ts'

const chunk = (fileName: string, imports: string[], ...modules: string[]) => ({
  type: 'chunk' as const,
  fileName,
  imports,
  modules: Object.fromEntries(modules.map((name) => [`/root${name}`, {}])),
})
const bundle = {
  a: chunk('assets/list.js', ['assets/console.js'], '/src/list.tsx'),
  b: chunk('assets/console.js', ['assets/base.js'], '/src/app.tsx'),
  c: chunk('assets/base.js', [], '/src/main.tsx'),
  d: { type: 'asset' },
}

describe('the script of the document', () => {
  it('preloads the chunk of a screen and all that it imports', () => {
    expect(scriptsFor(bundle, '/root', '/src/list.tsx')).toEqual(['/assets/list.js', '/assets/console.js', '/assets/base.js'])
  })

  it('fails the build when no chunk has a screen', () => {
    expect(() => scriptsFor(bundle, '/root', '/src/gone.tsx')).toThrow('no chunk has /src/gone.tsx')
  })

  it('knows the first call of every section, and the roles that may make it', () => {
    expect(sections.ess?.list).toEqual({
      url: 'ess?_start=0&_end=25&_sort=attention&_order=asc',
      roles: fleetStaff,
    })
    expect(sections.client?.record).toMatchObject({ url: 'user/{id}' })
    expect(sections.guest).toEqual({})
  })
})
