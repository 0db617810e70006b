import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pagesByPath } from '#pages/public/public-pages.tsx'
import { ownAddresses } from '#schema/check/use/own-addresses.ts'
import { ownPages } from '#shell/own-pages.ts'

const isOwn = (path: string) => ownAddresses.some((one) => `${path}/`.startsWith(`/${one}/`))

describe('the addresses that no resource may have', () => {
  it('are those of every page that the shell, the public pages and the routes have', () => {
    const routed = [...readFileSync('src/routes.tsx', 'utf8').matchAll(/<Route\s+path="(\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(routed).toContain('/inbox')
    const paths = [...Object.keys(pagesByPath), ...ownPages.map(({ href }) => href), ...routed].filter(
      (path) => !path.includes('*'),
    )
    expect(paths.length).toBeGreaterThan(8)
    expect(paths.filter((path) => !isOwn(path))).toEqual([])
  })

  it('are those of pages that are there, and of files and calls', () => {
    const pages = [...Object.keys(pagesByPath), ...ownPages.map(({ href }) => href), '/profile']
    expect(ownAddresses.filter((one) => !pages.includes(`/${one}`))).toEqual(['api', 'assets', 'locales'])
  })
})
