import axios, { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios'
import { createDataProvider, type UpdateMethod } from '#providers/data.ts'
import { restOver } from '#providers/rest-client.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { ActionRequest } from '#schema/wire/calls.ts'

const site = defineResource({
  name: 'site',
  label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Имя'], required: true },
    ownerId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'person', options: 'person/active?role=owner' },
  },
  tabs: { guest: { label: ['Guests', 'Гости'], resource: 'guest', from: 'site/{id}/guest' } },
  actions: {
    'remove-guest': {
      label: ['Remove', 'Удалить'],
      on: 'row',
      call: ['DELETE', 'site/{id}/remove-guest'],
      body: { userId: '$row.userId', seenAs: '$record.name', kind: 'guest' },
      form: { reason: { type: 'text', label: ['Reason', 'Причина'] } },
    },
    close: { label: ['Close', 'Закрыть'] },
    'import-list': {
      label: ['Import', 'Импорт'],
      on: 'list',
      form: { file: { type: 'file', label: ['File', 'Файл'], sent: 'alone' } },
    },
  },
})
const person = defineResource({
  name: 'person',
  label: { one: ['Person', 'Человек'], many: ['People', 'Люди'] },
  fields: { email: { type: 'email', label: ['E-mail', 'Почта'] } },
})
const owner = defineResource({
  name: 'owner',
  label: { one: ['Owner', 'Владелец'], many: ['Owners', 'Владельцы'] },
  subset: { of: 'person', where: { role: 'owner' } },
  fields: { email: { type: 'email', label: ['E-mail', 'Почта'] } },
  api: { list: 'person/owner', update: 'person/{id}/profile' },
})
export const definitions = definitionsOf([site, person, owner])

/** The provider over a wire that writes down what leaves and answers with `data`. */
export function wire(data: unknown = [], total?: number, options: { updateMethod?: UpdateMethod } = {}) {
  const sent: InternalAxiosRequestConfig[] = []
  const headers = new AxiosHeaders(total === undefined ? {} : { 'x-total-count': String(total) })
  const http = axios.create({
    baseURL: '/api',
    adapter: async (config) => {
      sent.push(config)
      return { data, status: 200, statusText: 'OK', headers, config }
    },
  })
  const line = ({ method, url }: InternalAxiosRequestConfig) => `${method?.toUpperCase()} ${url}`
  const provider = createDataProvider({ client: async () => ({ http, rest: restOver(http) }), definitions, ...options })
  return {
    provider,
    run: async (action: ActionRequest, payload?: object) =>
      (await provider.custom?.({ url: '', method: 'put', payload, meta: { action } }))?.data,
    sent,
    lines: () => sent.map(line),
    body: () => sent.at(-1)?.data,
  }
}
