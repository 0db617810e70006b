import { describe, expect, it } from 'vitest'
import { actionCall } from '#providers/action-call.ts'
import { definitionsOf } from '#schema/definition.ts'
import { definitions, wire } from './wire.ts'

describe('actions on the wire', () => {
  it('takes method, path, constants and values of the row and the record from the definition', () => {
    const request = { resource: 'site', action: 'remove-guest', id: '7', row: { userId: 'u1' }, record: { name: 'Home' } }
    const call = actionCall(definitions, request, { reason: 'moved' })
    expect(call).toEqual({
      method: 'delete',
      path: 'site/7/remove-guest',
      body: { reason: 'moved', userId: 'u1', seenAs: 'Home', kind: 'guest' },
    })
  })

  it('says the zone of the browser where the definition asks for it', () => {
    const zoned = definitionsOf([
      {
        name: 'site',
        label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
        fields: {},
        actions: { close: { label: ['Close', 'Закрыть'], body: { zone: '$zone' } } },
      },
    ])
    const { body } = actionCall(zoned, { resource: 'site', action: 'close', id: '7' })
    expect(body).toEqual({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  })

  it('sends the body of a DELETE', async () => {
    const { run, lines, body } = wire(null)
    await run({ resource: 'site', action: 'remove-guest', id: '7', row: { userId: 'u1' } })
    expect(lines()).toEqual(['DELETE site/7/remove-guest'])
    expect(JSON.parse(body())).toEqual({ userId: 'u1', seenAs: null, kind: 'guest' })
  })

  it('is a PUT without a body where the definition says nothing else', async () => {
    const { run, lines, body } = wire({ id: '7' })
    await expect(run({ resource: 'site', action: 'close', id: '7' })).resolves.toEqual({ id: '7' })
    expect(lines()).toEqual(['PUT site/7/close'])
    expect(body()).toBeUndefined()
  })

  it('uploads the file of its form', async () => {
    const { run, lines, body } = wire({})
    await run({ resource: 'site', action: 'import-list' }, { file: new File(['a'], 'a.csv') })
    expect(lines()).toEqual(['POST site/import-list'])
    expect([...(body() as FormData).keys()]).toEqual(['file'])
  })

  it('is not run by a call that has an address of its own', async () => {
    const { provider, lines } = wire({})
    const meta = { action: { resource: 'site', action: 'close', id: '7' } }
    await provider.custom?.({ url: 'site/count', method: 'get', meta })
    expect(lines()).toEqual(['GET site/count?'])
  })

  it('fails for an action or a record that is not there', async () => {
    const { run, lines } = wire({})
    await expect(run({ resource: 'site', action: 'open', id: '7' })).rejects.toThrow('open')
    await expect(run({ resource: 'site', action: 'close' })).rejects.toThrow('No id provided')
    expect(lines()).toEqual([])
  })
})
