import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionsDocument } from './document.ts'

writeFileSync(join(import.meta.dirname, '../../docs/definitions.md'), definitionsDocument())
