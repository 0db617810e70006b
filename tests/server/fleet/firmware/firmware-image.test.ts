import { describe, expect, it } from 'vitest'
import { controlPcb } from '#resources/control-pcb.ts'
import { buildImage, headerBytes, ImageCrc, type ImageHeader, readImageHeader } from '#server/fleet/firmware/image-header.ts'

const image = () =>
  buildImage({
    firmwareVersion: '2.14.3',
    hardwareRevisions: ['A1', 'B2', 'D8'],
    minFromVersion: '1.9.0',
    payload: Buffer.from('firmware '.repeat(500)),
  })

const crcFault = (bytes: Buffer, header: ImageHeader, chunkBytes: number) => {
  const crc = new ImageCrc()
  for (let at = 0; at < bytes.length; at += chunkBytes) crc.update(bytes.subarray(at, at + chunkBytes))
  return crc.verify(header)
}
const headerOf = (bytes: Buffer) => {
  const read = readImageHeader(bytes.subarray(0, headerBytes), bytes.length)
  if (!('header' in read)) throw new Error(read.fault.code)
  return read.header
}

describe('the header of a firmware image', () => {
  it('tells version, hardware, oldest version and length as they were written', () => {
    expect(headerOf(image())).toMatchObject({
      firmwareVersion: '2.14.3',
      hardwareRevisions: ['A1', 'B2', 'D8'],
      minFromVersion: '1.9.0',
      payloadBytes: 4500,
    })
  })

  it.each([
    ['bad-magic', 0, (bytes: Buffer) => bytes.write('ELF!', 0, 'latin1')],
    ['bad-header-version', 4, (bytes: Buffer) => bytes.writeUInt8(9, 4)],
    ['unknown-product', 5, (bytes: Buffer) => bytes.writeUInt8(200, 5)],
    ['no-hardware', 12, (bytes: Buffer) => bytes.writeUInt32BE(0, 12)],
    ['bad-length', 22, (bytes: Buffer) => bytes.writeUInt32BE(4499, 22)],
  ])('refuses %s and names offset %i', (code, offset, damage) => {
    const bytes = image()
    damage(bytes)
    expect(readImageHeader(bytes.subarray(0, headerBytes), bytes.length)).toMatchObject({ fault: { code, offset } })
  })

  it('can name every hardware that a board may be registered with, and a board may have no other', () => {
    const pattern = new RegExp(controlPcb.fields.hardwareRevision.pattern)
    const all = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) => [...'0123456789'].map((digit) => `${letter}${digit}`))
    const bytes = image()
    bytes.writeUInt32BE(0xffffffff, 12)
    expect(headerOf(bytes).hardwareRevisions).toEqual(all.filter((revision) => pattern.test(revision)))
  })

  it('names the product that it is for; images from before there were several are for the first', () => {
    const facts = { firmwareVersion: '1.0.0', hardwareRevisions: ['A1'], payload: Buffer.from('link') }
    expect(headerOf(buildImage({ ...facts, product: 'ESS-LINK' })).product).toBe('ESS-LINK')
    expect(headerOf(image()).product).toBe('ESS-PCB')
  })

  it('refuses a file shorter than the header', () => {
    expect(readImageHeader(Buffer.from('ESFW'), 4)).toMatchObject({ fault: { code: 'bad-length' } })
  })
})

describe('the check sum of a firmware image', () => {
  it.each([1, 7, 26, 29, 30, 31, 4096])('agrees whatever the chunks, here %i bytes', (chunkBytes) => {
    expect(crcFault(image(), headerOf(image()), chunkBytes)).toBeUndefined()
  })

  it.each([7, 40, 4529])('names both sums when byte %i has one flipped bit', (at) => {
    const bytes = image()
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    expect(crcFault(bytes, headerOf(bytes), 1000)).toMatchObject({ code: 'bad-crc', offset: 26 })
  })
})
