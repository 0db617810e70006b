import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../dist/console')
const heavy = [
  'antd',
  '@ant-design/',
  '@refinedev/antd',
  'rc-',
  'react-markdown',
  'micromark',
  'firebase',
  '@firebase/',
  'uplot',
]

/**
 * First load of each route: index.html, the modules that the route loads, and all their imports. `calls` are the requests
 * beside the page, its scripts and its styles: the words, the session, the page of data.
 */
const routes = [
  { name: 'sign-in', modules: ['src/pages/public/login-page.tsx'], maxKb: 85, calls: 1, maxRequests: 10 },
  { name: 'list', modules: ['src/app.tsx', 'src/views/list/list-page.tsx'], maxKb: 185, calls: 3, maxRequests: 10 },
  {
    name: 'record',
    modules: ['src/app.tsx', 'src/views/show/show-page.tsx', 'providers/client-code.ts'],
    maxKb: 185,
    calls: 3,
    maxRequests: 10,
  },
]

const packageBudgets = [
  { name: 'antd', packages: ['antd', '@ant-design/', '@refinedev/antd', 'rc-', '@rc-component/'], maxKb: 260 },
  { name: 'firebase', packages: ['firebase', '@firebase/'], maxKb: 20 },
]

const read = (file) => readFileSync(join(dist, file), 'utf8')
/** File → ChunkReport of build/chunk-report.ts */
const chunks = JSON.parse(read('.vite/chunks.json'))
const page = read('index.html')

const kilobytes = (file) => {
  const path = join(dist, file)
  const bytes = existsSync(`${path}.br`) ? readFileSync(`${path}.br`).length : brotliCompressSync(readFileSync(path)).length
  return bytes / 1024
}
const sum = (files) => files.reduce((total, file) => total + kilobytes(file), 0)

const matches = (name, prefixes) =>
  prefixes.some((prefix) => name === prefix || (/[-/]$/.test(prefix) && name.startsWith(prefix)))

/** These scripts and all that they import. */
function closure(files) {
  const seen = new Set()
  const visit = (file) => {
    if (seen.has(file)) return
    seen.add(file)
    chunks[file].imports.forEach(visit)
  }
  files.forEach(visit)
  return [...seen]
}

const named = (pattern) => [...page.matchAll(pattern)].map(([, file]) => file)
const first = { scripts: named(/(?:src|href)="\/([^"]+\.js)"/g), styles: named(/href="\/([^"]+\.css)"/g) }

const holderOf = (module) => Object.keys(chunks).find((file) => chunks[file].modules.includes(module))

function routeFaults({ name, modules, maxKb, calls, maxRequests }) {
  const missing = modules.filter((module) => !holderOf(module))
  if (missing.length > 0) return [`${name}: no chunk has ${missing.join(', ')}; name the route's modules in .ci/budgets.mjs`]

  const scripts = closure([...first.scripts, ...modules.map(holderOf)])
  const styles = new Set([...first.styles, ...scripts.flatMap((file) => chunks[file].styles)])
  const kb = sum(scripts)
  const requests = 1 + scripts.length + styles.size + calls
  console.log(`${name}: ${kb.toFixed(1)} of ${maxKb} KB, ${requests} of ${maxRequests} requests`)
  for (const file of scripts) console.log(`    ${kilobytes(file).toFixed(1).padStart(6)} KB ${file}`)

  const strangers = scripts.flatMap((file) => {
    const found = chunks[file].packages.filter((candidate) => matches(candidate, heavy))
    return found.length > 0 ? [`${name}: its first load has ${found.join(', ')} (${file})`] : []
  })
  return [
    ...(kb > maxKb ? [`${name}: ${kb.toFixed(1)} KB of scripts, ${maxKb} allowed`] : []),
    ...(requests > maxRequests ? [`${name}: ${requests} requests, ${maxRequests} allowed`] : []),
    ...strangers,
  ]
}

function packageFaults({ name, packages, maxKb }) {
  const files = Object.keys(chunks).filter((file) => chunks[file].packages.some((found) => matches(found, packages)))
  const kb = sum(files)
  console.log(`${name}: ${kb.toFixed(1)} of ${maxKb} KB in ${files.length} chunks`)
  return kb > maxKb ? [`${name}: ${kb.toFixed(1)} KB, ${maxKb} allowed`] : []
}

const faults = [...routes.flatMap(routeFaults), ...packageBudgets.flatMap(packageFaults)]
for (const fault of faults) console.error(`over budget: ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
