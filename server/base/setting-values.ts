import { isIP } from 'node:net'
import { z } from 'zod'
import { isRole, type Role, roles } from '#schema/roles.ts'

export const word = z.string().trim()
/** Hosts of the machine itself, as `HOST` or in an address. */
export const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/
export const number = (min: number, max: number) =>
  word
    .regex(/^\d{1,9}$/, 'use a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `use ${min} or more`).max(max, `use ${max} or less`))
export const address = (...schemes: string[]) =>
  word.refine(
    (text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)) && URL.canParse(text),
    `use an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  )
/** True for a URL without path, query, fragment and credentials. */
export const isOrigin = (text: string) => {
  const url = new URL(text)
  return /^\/*$/.test(url.pathname) && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}
export const flag = word
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'on', 'off'], 'use true or false'))
  .transform((text) => ['true', '1', 'on'].includes(text))
export const email = word.toLowerCase().pipe(z.email('this is not an e-mail address'))
/** `no-reply@example.org` or `ESS console <no-reply@example.org>`. */
export const sender = word
  .max(200, 'use at most 200 characters')
  .regex(
    /^([^\s<>@]+@[^\s<>@]+|[^<>]*<[^\s<>@]+@[^\s<>@]+>)$/,
    'use an address, or a name and an address: ESS console <no-reply@example.org>',
  )
export const password = z.string().min(10, 'use at least 10 characters').max(128, 'use at most 128 characters')

const proxyName = /^(loopback|linklocal|uniquelocal|[0-9a-f.:]{2,45}(\/([8-9]|[1-9]\d|1[01]\d|12[0-8]))?)$/i
export const proxies = word.transform((text, context): number | string[] => {
  if (/^[1-5]$/.test(text)) return Number(text)
  const names = text.split(',').map((name) => name.trim())
  if (!names.every((name) => proxyName.test(name)))
    context.addIssue('name the proxies: addresses, subnets, or how many there are (1 to 5); "true" would believe anybody')
  return names
})

const bitsOf: Readonly<Record<number, number>> = { 4: 32, 6: 128 }
const isNetwork = (text: string) => {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = bitsOf[isIP(address)]
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0))
  return bits !== undefined && isPrefix && more.length === 0
}
export const networks = word.transform((text, context): string[] => {
  const names = text.split(',').map((name) => name.trim())
  if (!names.every(isNetwork)) context.addIssue('name addresses or subnets with commas: 10.1.0.0/16,127.0.0.1,fd00::/8')
  return names
})

export const roleNames = word.transform((text, context): Role[] => {
  const names = text.split(',').map((name) => name.trim())
  const known = names.filter(isRole)
  if (known.length < names.length) context.addIssue(`name roles with commas: ${roles.join(', ')}`)
  return known
})
