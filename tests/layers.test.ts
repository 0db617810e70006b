import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** One row per layer: what its files may import and what they may not. */
const layers: { folder: string; good: string[]; bad: string[] }[] = [
  {
    folder: 'src/schema',
    good: ['zod', './b.ts', '#schema/b.ts'],
    bad: ['#ui/b.ts', '#resources/index.ts', 'react', 'node:fs'],
  },
  {
    folder: 'resources',
    good: ['#schema/resource.ts', './user.ts'],
    bad: ['zod', '#providers/index.ts', '#views/list-page.tsx'],
  },
  {
    folder: 'providers',
    good: [
      '#schema/wire.ts',
      '#resources/index.ts',
      '@refinedev/core',
      '@refinedev/simple-rest',
      'axios',
      'firebase/messaging',
    ],
    bad: ['#ui/theme.ts', '#server/app.ts', 'antd', '@refinedev/antd'],
  },
  {
    folder: 'src/ui',
    good: ['antd', 'antd/locale/en_US', '@refinedev/antd', 'react', 'uplot', 'dayjs', './grid.css'],
    bad: ['#schema/resource.ts', '#fields/text.tsx', '#shell/menu.tsx', '@refinedev/core'],
  },
  {
    folder: 'src/fields',
    good: ['#schema/format.ts', '#ui/controls.tsx', 'react'],
    bad: ['#views/form-page.tsx', 'antd', 'uplot'],
  },
  {
    folder: 'src/views',
    good: ['#schema/rule.ts', '#ui/controls.tsx', '#fields/registry.ts', '@refinedev/core', 'react-router'],
    bad: ['#widgets/status.tsx', '#shell/menu.tsx', '#resources/index.ts', '#providers/data.ts', 'antd/es/table', 'axios'],
  },
  {
    folder: 'src/widgets',
    good: ['#views/sections.tsx', '#fields/registry.ts', '#resources/fleet/channel-of.ts'],
    bad: ['#shell/menu.tsx', '#providers/data.ts', '#resources/index.ts', 'uplot'],
  },
  {
    folder: 'src/shell',
    good: ['#views/list-page.tsx', '#ui/theme.ts', 'react'],
    bad: [
      '#widgets/status.tsx',
      '#pages/profile/profile-page.tsx',
      '#resources/index.ts',
      '#providers/auth.ts',
      '#server/app.ts',
      'antd',
    ],
  },
  {
    folder: 'src/pages',
    good: [
      '#shell/account.ts',
      '#widgets/status.tsx',
      '#views/list-page.tsx',
      '#resources/fleet/channel-of.ts',
      '@simplewebauthn/browser',
    ],
    bad: ['#resources/index.ts', '#providers/auth.ts', '#server/app.ts', 'antd'],
  },
  {
    folder: 'src/worker',
    good: ['#providers/push/push-message.ts', 'firebase/messaging/sw', './scope.ts'],
    bad: ['#providers/http.ts', '#schema/wire.ts', 'react', 'axios'],
  },
  {
    folder: 'src/last-page',
    good: ['#providers/session/session-store.ts', '#ui/layout/when-idle.ts', './b.ts'],
    bad: ['#providers/http.ts', '#views/list-page.tsx', '#shell/layout.tsx', '#resources/index.ts', 'react'],
  },
  {
    folder: 'src',
    good: ['#providers/index.ts', '#resources/index.ts', '#shell/layout.tsx'],
    bad: ['#server/app.ts', '#tests/support/x.ts'],
  },
  {
    folder: 'server',
    good: ['#schema/rule.ts', '#resources/index.ts', 'fastify', 'pg', 'node:fs'],
    bad: [
      '#ui/theme.ts',
      '#providers/data.ts',
      '#views/list-page.tsx',
      '#pages/profile/profile-page.tsx',
      'react',
      'react-dom/server',
      'antd',
      '@refinedev/core',
      'axios',
    ],
  },
  { folder: 'tests', good: ['#server/app.ts', '#ui/theme.ts', '#providers/auth.ts', 'antd'], bad: ['#bench/run.ts'] },
]

/** The rooms of the server: what each may import, and one import that would point upwards. */
const rooms: Record<string, { good: string[]; bad: string[] }> = {
  base: { good: ['#schema/words.ts', '#server/db/connect.ts'], bad: ['#server/db/query.ts', '#resources/index.ts'] },
  db: { good: ['#server/base/problems.ts'], bad: ['#server/engine/records/work.ts', '#resources/index.ts'] },
  engine: { good: ['#server/db/query.ts'], bad: ['#server/notify/mailer.ts', '#server/account/user.ts', '#resources/ess.ts'] },
  notify: { good: ['#server/db/query.ts'], bad: ['#server/engine/audit/audit-entry.ts', '#server/account/user.ts'] },
  account: { good: ['#server/notify/mailer.ts', '#server/engine/records/work.ts'], bad: ['#server/fleet/ess/ess.ts'] },
  frames: { good: ['#schema/rule.ts', '#resources/index.ts'], bad: ['#server/base/config.ts', '#server/fleet/ess/ess.ts'] },
  fleet: { good: ['#server/account/user.ts', '#server/frames/read-frame.ts'], bad: ['#server/filling/filling-part.ts'] },
  'fleet/firmware/waves': {
    good: ['#server/fleet/firmware/update-state-machine.ts'],
    bad: ['#server/fleet/firmware/updates/update-store.ts', '#server/fleet/firmware/rollouts/rollout-rules.ts'],
  },
  'fleet/firmware/updates': {
    good: ['#server/fleet/firmware/waves/judge-rollout.ts'],
    bad: ['#server/fleet/firmware/rollouts/advance-rollouts.ts', '#server/filling/filling-part.ts'],
  },
  filling: { good: ['#server/fleet/ess/ess.ts'], bad: ['#server/demo/seed.ts', '#server/app/parts.ts'] },
  demo: { good: ['#server/fleet/ess/ess.ts'], bad: ['#server/filling/filling-part.ts', '#server/app/parts.ts'] },
  app: { good: ['#server/demo/seed.ts', '#server/filling/filling-part.ts'], bad: ['#server/dev/live-api.ts', '#ui/theme.ts'] },
}
for (const [room, row] of Object.entries(rooms)) layers.push({ folder: `server/${room}`, ...row })

const upwards = ['../b.ts', '../../server/b.ts', './x/../../b.ts']

type Case = { folder: string; source: string; kind: 'value' | 'type' | 'lazy' | 'again'; allowed: boolean }

const kinds: Record<Case['kind'], (source: string) => string> = {
  value: (source) => `import { b } from '${source}'\nexport const a = b\n`,
  type: (source) => `import type { b } from '${source}'\nexport type A = b\n`,
  lazy: (source) => `export const a = () => import('${source}')\n`,
  again: (source) => `export { b } from '${source}'\n`,
}

const cases: Case[] = layers.flatMap(({ folder, good, bad }) => [
  ...good.map((source) => ({ folder, source, kind: 'value' as const, allowed: true })),
  ...bad.map((source) => ({ folder, source, kind: 'value' as const, allowed: false })),
  ...upwards.map((source) => ({ folder, source, kind: 'value' as const, allowed: false })),
  ...(['type', 'lazy', 'again'] as const).map((kind) => ({ folder, source: bad[0] ?? '', kind, allowed: false })),
])

const fileOf = ({ folder }: Case, index: number) => `${folder}/planted-${index}.ts`

/** The files in which the linter found a forbidden import. */
function lint(tree: string): Set<string> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const only = ['--only=style/noRestrictedImports', '--max-diagnostics=none', '--vcs-enabled=false', '--reporter=json']
  let output: string
  try {
    output = execFileSync(process.execPath, [biome, 'lint', ...only, '.'], {
      cwd: tree,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error)) throw error
    output = String(error.stdout)
  }
  const report: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(output)
  return new Set(
    report.diagnostics
      .filter((found) => found.category === 'lint/style/noRestrictedImports')
      .map((found) => found.location.path),
  )
}

describe('the layers', () => {
  const tree = mkdtempSync(join(tmpdir(), 'layers-'))
  let faulty = new Set<string>()

  beforeAll(() => {
    for (const file of ['biome.json', 'package.json']) cpSync(join(root, file), join(tree, file))
    for (const [index, planted] of cases.entries()) {
      const file = join(tree, fileOf(planted, index))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, kinds[planted.kind](planted.source))
    }
    faulty = lint(tree)
  })
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  for (const [index, planted] of cases.entries()) {
    const { folder, source, kind, allowed } = planted
    it(`${folder} ${allowed ? 'may' : 'may not'} import ${source} (${kind})`, () => {
      expect(faulty.has(fileOf(planted, index))).toBe(!allowed)
    })
  }
})
