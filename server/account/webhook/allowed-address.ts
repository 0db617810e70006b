import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Address ranges without public hosts, by the IANA registries: private networks, loopback, link-local, multicast, translations
 * of these. Node matches IPv4-mapped IPv6 (`::ffff:10.0.0.1`) against the IPv4 rows.
 */
const notPublic = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

const closed = listOf(notPublic)

/** Thrown for a blocked address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** The address without a URL's brackets and an interface's zone. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '').replace(/%.*$/, '')

type Rule = { networks: readonly string[]; isPlain: boolean }

/**
 * SSRF guard. It checks the connected address instead of the name, because a name may resolve differently on check and on use
 * (DNS rebinding). Without TLS only the networks of the setting are allowed.
 */
export class AddressGuard {
  readonly #open: BlockList
  readonly #isPlain: boolean

  constructor({ networks, isPlain }: Rule) {
    this.#open = listOf(networks)
    this.#isPlain = isPlain
  }

  isAllowed(given: string): boolean {
    const address = bare(given)
    if (isIP(address) === 0) return false
    const family = familyOf(address)
    return this.#open.check(address, family) || (!this.#isPlain && !closed.check(address, family))
  }

  /** True for a blocked literal address; a name is checked once resolved. */
  isRefusedLiteral(host: string): boolean {
    return isIP(bare(host)) !== 0 && !this.isAllowed(host)
  }

  /** DNS lookup that returns allowed addresses only. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const allowed = found.filter(({ address }) => this.isAllowed(address))
      const [first] = allowed
      if (!first) return callback(new AddressRefused(found.map(({ address }) => address).join(', ')), '')
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
}
