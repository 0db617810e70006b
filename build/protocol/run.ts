import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolHeader } from './c-header.ts'
import { protocolDocument } from './document.ts'

const docs = join(import.meta.dirname, '../../docs')
writeFileSync(join(docs, 'device-protocol.md'), protocolDocument())
writeFileSync(join(docs, 'device-protocol.h'), protocolHeader())
