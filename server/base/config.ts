import { z } from 'zod'
import { demoVariables, knownDemoPassword } from './demo-variables.ts'
import { mailVariables } from './mail-variables.ts'
import { oidcFaults, oidcVariables } from './oidc-variables.ts'
import { retentionVariables } from './retention-variables.ts'
import { address, email, flag, isOrigin, networks, number, password, proxies, roleNames, word } from './setting-values.ts'
import { streamVariables } from './stream-variables.ts'

/** File in the data folder with the encryption key for secrets of an embedded database; backups exclude it. */
export const keyFileName = 'secrets.key'

/** All environment variables: name, parser, meaning and default. */
export const variables = {
  port: {
    name: 'PORT',
    schema: number(0, 65_535).default(8080),
    absent: '8080',
    about: 'Port of console and API; 0 takes a free one',
  },
  host: {
    name: 'HOST',
    schema: word.default('127.0.0.1'),
    absent: '127.0.0.1',
    about: 'Address to listen on; 0.0.0.0 for every network',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    schema: address('http', 'https')
      .refine(
        (text) => !URL.canParse(text) || isOrigin(text),
        'leave the path out: the console needs a host name of its own, like https://console.example.org',
      )
      .optional(),
    absent: 'http://HOST:PORT',
    about: 'Address that people open; links in mails start with it, and passkeys belong to its host',
  },
  dataDir: {
    name: 'DATA_DIR',
    schema: word.default('./data'),
    absent: './data',
    about: 'Folder of the embedded database, firmware files and the outbox',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    schema: address('postgres', 'postgresql').optional(),
    absent: 'embedded database',
    about: 'A PostgreSQL 14 or newer instead of the embedded database',
  },
  databasePoolMax: {
    name: 'DATABASE_POOL_MAX',
    schema: number(2, 200).default(10),
    absent: '10',
    about: 'Connections that one process keeps to the database',
  },
  adminEmail: {
    name: 'ADMIN_EMAIL',
    schema: email.optional(),
    absent: '',
    about: 'E-mail of the first admin, made when there is none',
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    schema: password.optional(),
    absent: '',
    about: 'Password of the first admin, 10 to 128 characters',
  },
  ...demoVariables,
  tokenTtlS: {
    name: 'TOKEN_TTL_S',
    schema: number(5, 86_400).default(900),
    absent: '900',
    about: 'Life of an access token in seconds',
  },
  requireSecondFactor: {
    name: 'REQUIRE_SECOND_FACTOR',
    schema: roleNames.default([]),
    absent: 'none',
    about: 'Roles that sign in with a second factor only, with commas: admin,moderator',
  },
  secretsKey: {
    name: 'SECRETS_KEY',
    schema: word.min(32, 'use at least 32 characters').max(256, 'use at most 256 characters').optional(),
    absent: 'embedded: DATA_DIR/secrets.key; PostgreSQL: not sealed',
    about:
      'Key that seals secrets in the database: of authenticator apps, webhooks and mailed links; the same for all processes',
  },
  confirmAfterMin: {
    name: 'CONFIRM_AFTER_MIN',
    schema: number(1, 1_440).default(10),
    absent: '10',
    about: 'Minutes after which sensitive actions ask for password or second factor again',
  },
  releaseBySecondPerson: {
    name: 'RELEASE_BY_SECOND_PERSON',
    schema: flag.default(false),
    absent: 'false',
    about: 'Firmware is released by an admin who has neither uploaded it nor put it to the test',
  },
  ...oidcVariables,
  ...mailVariables,
  fcmServiceAccount: {
    name: 'FCM_SERVICE_ACCOUNT',
    schema: word.optional(),
    absent: 'push by the open page only',
    about: 'File with the key of a Firebase service account, for push messages',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    schema: proxies.optional(),
    absent: 'none',
    about: 'Proxies in front: addresses or subnets with commas, or their number',
  },
  rateLimitPerMin: {
    name: 'RATE_LIMIT_PER_MIN',
    schema: number(1, 1_000_000).default(1200),
    absent: '1200',
    about: 'Requests a minute that one address may make',
  },
  ...retentionVariables,
  ...streamVariables,
  webhookNetworks: {
    name: 'WEBHOOK_NETWORKS',
    schema: networks.default([]),
    absent: 'none',
    about: 'Private addresses or subnets that webhooks may call, with commas; plain http:// goes there only',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    schema: number(1, 65_535).optional(),
    absent: '',
    about: 'Port on HOST with figures for a collector at /metrics (Prometheus)',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    schema: word.min(16, 'use at least 16 characters').max(256, 'use at most 256 characters').optional(),
    absent: '',
    about: 'Bearer token that they ask for, 16 to 256 characters; without METRICS_PORT they are at /api/metrics',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    schema: z.enum(['silent', 'error', 'warn', 'info', 'debug'], 'use silent, error, warn, info or debug').default('info'),
    absent: 'info',
    about: 'How much is logged',
  },
} as const

type Read = { [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> }
/** The settings of the process. `demoPassword` is set whenever `demo` is on. */
export type Config = Omit<Read, 'publicUrl' | 'demo'> & { publicUrl: string; demo: boolean; production: boolean }

/** A start that cannot succeed; the message lists every invalid setting and its remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const reader = z.object(Object.fromEntries(Object.values(variables).map(({ name, schema }) => [name, schema])))

function defaultUrl({ host, port }: Pick<Read, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Misspelt, it would open the demo where none is wanted. */
const environments = ['production', 'development', 'test']

function faultsOf(config: Config, environment: string): string[] {
  const { production, demo, demoPassword, adminEmail, adminPassword, ingestWork, natsUrl } = config
  return [
    ...(environment === '' || environments.includes(environment) ? [] : [`NODE_ENV: use ${environments.join(', ')} or none`]),
    ...(!adminEmail === !adminPassword ? [] : ['ADMIN_EMAIL and ADMIN_PASSWORD: set both or none']),
    ...(production && demo && !demoPassword
      ? ['DEMO_PASSWORD: set one of your own; a known password is no password in production']
      : []),
    ...(config.metricsPort === undefined || config.metricsPort !== config.port
      ? []
      : ['METRICS_PORT: use another port than PORT; without one, METRICS_TOKEN opens /api/metrics']),
    ...(ingestWork || natsUrl ? [] : ['INGEST_WORK: false only accepts frames into a stream, so it needs NATS_URL']),
    ...oidcFaults(config),
  ]
}

/** Reads the settings from the environment. An empty variable counts as absent. Throws a ConfigError that names every fault. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.values(variables).flatMap(({ name }) => (env[name]?.trim() ? [[name, env[name]]] : [])),
  )
  const issues = reader.safeParse(given).error?.issues ?? []
  const wrong = issues.map(({ path }) => String(path[0]))
  // Without the wrong values, so that contradictions among the others are found, too.
  const data = reader.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))))
  const read = Object.fromEntries(Object.entries(variables).map(([key, { name }]) => [key, data[name]])) as Read
  const production = env.NODE_ENV === 'production'
  const demo = read.demo ?? false
  const config: Config = {
    ...read,
    production,
    demo,
    demoPassword: read.demoPassword ?? (demo && !production ? knownDemoPassword : undefined),
    publicUrl: (read.publicUrl ?? defaultUrl(read)).replace(/\/+$/, ''),
  }
  const faults = [
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...faultsOf(config, env.NODE_ENV ?? '').filter((fault) => !wrong.some((name) => fault.includes(name))),
  ]
  if (faults.length > 0)
    throw new ConfigError(`The settings can not be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  return config
}
