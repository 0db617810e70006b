import { flag, loopback, number, password } from './setting-values.ts'

export const knownDemoPassword = 'demo-password'

export const demoVariables = {
  demo: {
    name: 'DEMO',
    schema: flag.optional(),
    absent: 'true by npm start, in production false',
    about: 'Fills an empty database with a demo fleet and keeps it alive',
  },
  demoPassword: {
    name: 'DEMO_PASSWORD',
    schema: password.optional(),
    absent: 'demo-password, in production none',
    about: 'Password of the demo accounts',
  },
  demoSeed: {
    name: 'DEMO_SEED',
    schema: number(0, 999_999_999).default(1),
    absent: '1',
    about: 'The same number gives the same demo fleet',
  },
  demoSize: {
    name: 'DEMO_SIZE',
    schema: number(5, 500).default(200),
    absent: '200',
    about: 'How many systems the demo fleet has, 5 to 500',
  },
  demoLive: {
    name: 'DEMO_LIVE',
    schema: flag.default(true),
    absent: 'true',
    about: 'Boards of the demo fleet report, obey and fail; false leaves them silent',
  },
} as const

type Read = { demo: boolean; demoPassword?: string | undefined; host: string; publicUrl: string }

/** True where others than this machine reach demo accounts whose password everybody knows. */
export const isDemoOpen = ({ demo, demoPassword, host, publicUrl }: Read): boolean =>
  demo && demoPassword === knownDemoPassword && !(loopback.test(host) && loopback.test(new URL(publicUrl).hostname))
