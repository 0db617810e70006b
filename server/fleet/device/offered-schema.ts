import { z } from 'zod'

const said = <T extends z.ZodType>(type: T, description: string) => type.meta({ description })

/** The update that a board is offered; docs/device-protocol.md has a row for each. */
export const offeredSchema = z.object({
  id: said(z.string(), 'UUID of the update: for the address of its image and for reports'),
  version: said(z.string(), 'Version of the image, as in its header'),
  sizeB: said(z.int(), 'Bytes of the whole file, header included'),
  sha256: said(z.string(), 'SHA-256 of the whole file, header included: 64 digits in lower-case hex'),
  crc32: said(
    z.string().nullable(),
    'CRC-32 as in the header of the image: a string of 8 digits in lower-case hex. It covers bytes 0 to 25 and the payload, so that of the whole file is another one; null = not known, go by `sha256`',
  ),
  state: said(z.string(), 'State that the server knows'),
  notBefore: said(
    z.int().nullable(),
    'Epoch ms from which it may begin; it is over when an update is offered, so a board need not hold it against its clock. null = at once',
  ),
  deadline: said(z.int().nullable(), 'Epoch ms at which the server ends the present state when no report comes; null = never'),
})
