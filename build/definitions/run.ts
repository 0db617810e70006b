import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionsDocument } from './document.ts'
import { definitionShapes } from './read-shapes.ts'

const root = join(import.meta.dirname, '../..')
const shapes = join(root, 'src/schema/check/shape/shapes.json')
writeFileSync(join(root, 'docs/definitions.md'), definitionsDocument())
writeFileSync(shapes, JSON.stringify(definitionShapes()))
execFileSync('npx', ['biome', 'format', '--write', shapes], { cwd: root })
