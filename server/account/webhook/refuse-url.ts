import type { Label } from '#schema/words.ts'
import { invalid } from '#server/base/problems.ts'
import { AddressGuard } from './allowed-address.ts'

const longest = 500

type Check = { isFault: (url: URL, networks: readonly string[]) => boolean; text: Label }

/** Refused forms of URLs. Names are checked when they are resolved, on each attempt. */
const checks: readonly Check[] = [
  {
    isFault: ({ protocol }, networks) => protocol !== 'https:' && (protocol !== 'http:' || networks.length === 0),
    text: [
      'Use https://; plain http:// is for the private networks of the setting WEBHOOK_NETWORKS',
      'Используйте https://; http:// — только для частных сетей настройки WEBHOOK_NETWORKS',
    ],
  },
  {
    isFault: ({ username, password, hash }) => username !== '' || password !== '' || hash !== '',
    text: [
      'Leave user, password and fragment out: the signature tells the receiver who calls',
      'Уберите имя, пароль и фрагмент: получатель узнаёт отправителя по подписи',
    ],
  },
  { isFault: ({ href }) => href.length > longest, text: ['At most 500 characters', 'Не больше 500 знаков'] },
  {
    isFault: ({ hostname, protocol }, networks) =>
      new AddressGuard({ networks, isPlain: protocol === 'http:' }).isRefusedLiteral(hostname),
    text: [
      'This address is not public; the setting WEBHOOK_NETWORKS opens private networks',
      'Этот адрес не публичный; частные сети открывает настройка WEBHOOK_NETWORKS',
    ],
  },
]

/** Throws 400 for a URL that can never be called. */
export function refuseUrl(value: unknown, networks: readonly string[]): void {
  const text = String(value)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const faults = url ? checks.filter(({ isFault }) => isFault(url, networks)) : checks.slice(0, 1)
  if (faults.length > 0) throw invalid(faults.map(({ text }) => ({ path: 'url', code: 'rule', text })))
}
