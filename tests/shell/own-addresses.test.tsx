import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pagesByPath } from '#pages/public/public-pages.tsx'
import { ownAddresses } from '#schema/check/use/own-addresses.ts'
import { ownPages } from '#shell/own-pages.ts'

const firstOf = (path: string) => path.split('/')[1] ?? ''
/** A public page below an address leaves the address itself to a resource: `/invitation/complete`. */
const isWhole = (path: string) => path.split('/').length === 2

describe('the addresses that no resource may have', () => {
  it('are those of every page that the shell, the public pages and the routes have', () => {
    const routed = [...readFileSync('src/routes.tsx', 'utf8').matchAll(/<Route\s+path="(\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(routed).toContain('/inbox')
    const paths = [...Object.keys(pagesByPath), ...ownPages.map(({ href }) => href), ...routed].filter(isWhole)
    expect(paths.length).toBeGreaterThan(8)
    expect(paths.map(firstOf).filter((segment) => !ownAddresses.some((one) => one === segment))).toEqual([])
  })

  it('are those of pages that are there, and of files and calls', () => {
    const pages = [...Object.keys(pagesByPath), ...ownPages.map(({ href }) => href), '/profile'].map(firstOf)
    expect(ownAddresses.filter((one) => !pages.includes(one))).toEqual(['api', 'assets', 'locales'])
  })
})
