import { spawnSync } from 'node:child_process'

const [name] = process.argv.slice(2)
if (!name) {
  console.error('Say which definition: npm run prove -- service-visit')
  process.exit(1)
}
const args = ['vitest', 'run', '--project', 'contract', 'tests/prove', '--reporter', 'verbose']
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...process.env, PROVE: name } })
process.exit(status ?? 1)
