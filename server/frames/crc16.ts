const polynomial = 0x1021
const initial = 0xffff

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000 ? (value << 1) ^ polynomial : value << 1
  return value
})

/** CRC-16/CCITT-FALSE of the bytes from `start` to `end`, exclusive. */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = initial
  for (let at = start; at < end; at++) crc = ((crc << 8) & 0xff00) ^ (table[(crc >>> 8) ^ (bytes[at] ?? 0)] ?? 0)
  return crc
}

/**
 * Offset of the byte in which a single flipped bit explains the difference of two CRCs, in a frame of `length` bytes that ends
 * with its CRC. Undefined when no single bit does; several flipped bits may look like one.
 */
export function flippedByte(length: number, difference: number): number | undefined {
  let syndrome = 1
  for (let bit = 0; bit < length * 8; bit++) {
    if (syndrome === difference) return length - 1 - (bit >> 3)
    syndrome = syndrome & 0x8000 ? ((syndrome << 1) ^ polynomial) & 0xffff : syndrome << 1
  }
  return undefined
}
