import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { consoleNotices, writeNotices } from '#build/third-party-notices.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ess-notices-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(file: string, content: string | object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}

it('the notices name each package of the bundle, of its assets and of the production install under its licence text, and no tool', () => {
  put(join('dist/console', consoleNotices), [{ name: 'chart', version: '1.0.0', identifier: 'MIT', text: 'MIT of Ada\n' }])
  put('dist/console/.vite/manifest.json', {
    'src/main.tsx': { file: 'main.js' },
    'node_modules/@type/face/files/latin.woff2': { file: 'assets/latin.woff2' },
    'node_modules/@type/face/files/cyrillic.woff2': { file: 'assets/cyrillic.woff2' },
  })
  put('node_modules/@type/face/package.json', { name: '@type/face', version: '7.0.0', license: 'OFL-1.1' })
  put('node_modules/@type/face/LICENSE', 'Open Font of Cyd')
  put('package-lock.json', {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/web': { version: '2.0.0', license: 'MIT' },
      'node_modules/@db/driver': { version: '3.0.0', license: 'Apache-2.0' },
      'node_modules/web/node_modules/bare': { version: '4.0.0', license: 'ISC' },
      'node_modules/tool': { version: '5.0.0', license: 'MIT', dev: true },
      'node_modules/for-another-platform': { version: '6.0.0', license: 'MIT' },
    },
  })
  put('node_modules/web/LICENSE.md', 'MIT of Ada')
  put('node_modules/@db/driver/LICENCE', 'Apache of Bob')
  put('node_modules/@db/driver/NOTICE', 'Driver of Bob')
  put('node_modules/web/node_modules/bare/package.json', {})
  put('node_modules/tool/LICENSE', 'MIT of Eve')

  writeNotices(root)

  const page = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.md'), 'utf8')
  expect(page).toContain('## chart 1.0.0 (MIT), web 2.0.0 (MIT)\n\n````text\nMIT of Ada\n````')
  expect(page).toContain('## @db/driver 3.0.0 (Apache-2.0)\n\n````text\nApache of Bob\n\nDriver of Bob\n````')
  expect(page).toContain('## bare 4.0.0 (ISC)\n\nNo licence text in the package')
  expect(page).toContain('## @type/face 7.0.0 (OFL-1.1)\n\n````text\nOpen Font of Cyd\n````')
  expect(page).not.toMatch(/Eve|another-platform/)
})
