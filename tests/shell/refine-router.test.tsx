import { ResourceContext } from '@refinedev/core'
import reactRouter from '@refinedev/react-router'
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { refineResources } from '#console/refine-resources.ts'
import { withoutParams } from '#console/refine-router.ts'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'

afterEach(cleanup)

const pages = refineResources(definitionsOf(resources))
const router = withoutParams(reactRouter)

/** Answer of a router about one address. */
function pageAt(address: string, { parse }: typeof reactRouter) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>
      <ResourceContext.Provider value={{ resources: pages }}>{children}</ResourceContext.Provider>
    </MemoryRouter>
  )
  return renderHook(() => parse?.()(), { wrapper }).result.current
}

it.each(['/', '/ess', '/ess?page=2&sort=name', '/ess/create', '/ess/6f1c', '/ess/6f1c/edit', '/ess/50%20%25%2Fb', '/nowhere'])(
  'the router of the console says of %s what the router of Refine says, without the parameters',
  (address) => {
    expect(pageAt(address, router)).toEqual({ ...pageAt(address, reactRouter), params: {} })
  },
)

it('the router of the console finds the page of an address once for all who ask', () => {
  const page = pageAt('/ess/6f1c', router)
  expect(page).toMatchObject({ action: 'show', id: '6f1c', resource: { name: 'ess' } })
  expect(pageAt('/ess/6f1c', router)).toBe(page)
  expect(pageAt('/ess/other', router)?.id).toBe('other')
})
