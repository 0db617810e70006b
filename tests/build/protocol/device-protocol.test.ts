import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { protocolHeader } from '#build/protocol/c-header.ts'
import { protocolDocument } from '#build/protocol/document.ts'
import { readVector } from '#build/protocol/vectors.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { offeredSchema } from '#server/fleet/device/offered-schema.ts'

const root = join(import.meta.dirname, '../../..')
const kept = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

describe('the document of the protocol', () => {
  it('is what the layouts say; `npm run protocol` writes it again', () => {
    expect(kept('device-protocol.md')).toBe(protocolDocument())
    expect(kept('device-protocol.h')).toBe(protocolHeader())
  })

  it('has twenty-four frames that are read as it says', () => {
    const found = [...kept('device-protocol.md').matchAll(/```hex\n([0-9a-f]+)\n```\n```json\n(.+)\n```/g)]
    expect(found).toHaveLength(24)
    for (const [, hex = '', read = ''] of found) {
      const vector: ReturnType<typeof readVector> = JSON.parse(read)
      expect(readVector(Buffer.from(hex, 'hex'), vector.product)).toEqual(vector)
    }
  })

  it('has frames of every type and every effect', () => {
    const text = kept('device-protocol.md')
    for (const type of ['TELEMETRY', 'HEARTBEAT', 'EVENT', 'CONFIG_ACK', 'FW_PROGRESS', 'BOOT'])
      expect(text).toContain(`{"type":"${type}","status":"VALID"`)
    for (const reason of [
      'CRC_MISMATCH',
      'BAD_MAGIC',
      'LENGTH_MISMATCH',
      'UNKNOWN_BOARD',
      'CLOCK_PAST',
      'VALUE_OUT_OF_RANGE',
      'UNSUPPORTED_FIELD',
      'UNSUPPORTED_VERSION',
    ])
      expect(text).toContain(`"reasons":["${reason}"]`)
  })

  it('names no field whose meaning is only its name', () => {
    const rows = kept('device-protocol.md')
      .split('\n')
      .filter((line) => /^\| (\d+|next) \| (\d+|2 \+ n) \| `/.test(line))
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter((row) => /\| `(\w+)` \|.*\| \1 \|$/.test(row))).toEqual([])
  })

  it('explains every part of an offered update, and of the rows of a setting', () => {
    const text = kept('device-protocol.md')
    for (const name of Object.keys(offeredSchema.shape)) expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\| \\S`, 'm'))
    const { schedule } = configurationFields
    for (const [part, { label }] of Object.entries(schedule.fields))
      expect(text).toMatch(new RegExp(`^\\| \`schedule\\[\\]\\.${part}\` \\|.* ${label[0]} \\|$`, 'm'))
  })

  it('is a header that a C compiler takes without a warning', () => {
    const compiler = ['cc', 'tcc'].find((name) => spawnSync(name, ['-v']).status === 0)
    if (!compiler) throw new Error('There is no C compiler: install tcc or gcc')
    const folder = mkdtempSync(join(tmpdir(), 'ess-header-'))
    try {
      const source = join(folder, 'board.c')
      writeFileSync(
        source,
        [
          '#include "device-protocol.h"',
          '#include "device-protocol.h"',
          'int read(const unsigned char *frame);',
          'int read(const unsigned char *frame)',
          '{',
          '  enum ess_frame_type type = ESS_TYPE_BOOT;',
          '  enum ess_product product = ESS_PRODUCT_ESS_LINK;',
          '  if (frame[ESS_TYPE_AT] != (unsigned char)type) return ESS_MISSING_I16;',
          '  return frame[ESS_BOOT_PRODUCT_AT] == (unsigned char)product;',
          '}',
          '',
        ].join('\n'),
      )
      const strict = ['-std=c99', '-Wall', '-Wextra', '-pedantic', '-Werror']
      const { status, stderr } = spawnSync(compiler, [...strict, '-I', 'docs', '-c', source, '-o', join(folder, 'board.o')], {
        cwd: root,
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('agrees with the frames of the board in Python', () => {
    const [, hex = '', read = ''] = /```hex\n([0-9a-f]+)\n```\n```json\n(.+)\n```/.exec(kept('device-protocol.md')) ?? []
    const script = [
      'import json, sys',
      'sys.dont_write_bytecode = True',
      'sys.path.insert(0, "examples/device")',
      'import frame',
      'values = json.loads(sys.argv[1])["values"]',
      'place = lambda text: tuple(int(part[1:]) for part in text.split("/"))',
      'values.update({name: place(values[name]) for name in ("cellVoltageMinPos", "cellVoltageMaxPos")})',
      'print(frame.encode("TELEMETRY", 1, "001A2B3C4D5E", 1772452800, values).hex())',
    ].join('\n')
    expect(execFileSync('python3', ['-c', script, read], { cwd: root, encoding: 'utf8' }).trim()).toBe(hex)
  })
})
