import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Differences that a test makes from an honest device and browser. */
type Lies = {
  origin?: string
  rpId?: string
  challenge?: string
  /** Counter of the device, instead of one more. */
  counter?: number
  /** False: the device was touched, and asked for no finger, face or PIN. */
  verified?: boolean
  userHandle?: string | undefined
  type?: string
  key?: KeyObject
}

const present = 0x01
const verifiedFlag = 0x04
const hasKey = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (data: Uint8Array) => Buffer.from(data).toString('base64url')

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  return size < 256 ? Buffer.from([(kind << 5) | 24, size]) : Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff])
}

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

/** As much of CBOR as an attestation needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

const word = (size: 2 | 4, value: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

type Options = Readonly<Record<string, unknown>>
const at = (options: Options, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), options)

/** A device with one passkey of the kind that every browser makes (ES256), and the browser around it. */
export class SoftwarePasskey {
  readonly id = text64(randomBytes(32))
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly #rpId: string
  #userHandle = ''
  counter = 0

  constructor(origin = 'https://console.example') {
    this.#origin = origin
    this.#rpId = new URL(origin).hostname
  }

  #authData({ rpId = this.#rpId, verified = true, counter }: Lies, more: Buffer = Buffer.alloc(0)): Buffer {
    this.counter = counter ?? this.counter + 1
    const flags = present | (verified ? verifiedFlag : 0) | (more.length > 0 ? hasKey : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), word(4, this.counter), more])
  }

  #clientData(kind: string, options: Options, { origin = this.#origin, challenge, type = kind }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: challenge ?? at(options, 'challenge'), origin, crossOrigin: false }))
  }

  /** The answer to options that ask for a new passkey. */
  create(options: Options, lies: Lies = {}) {
    this.#userHandle = String(at(options, 'user.id'))
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, left],
      [-3, right],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const authData = this.#authData(lies, Buffer.concat([Buffer.alloc(16), word(2, id.length), id, cbor(key)]))
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: text64(this.#clientData('webauthn.create', options, lies)),
        attestationObject: text64(cbor(attestation)),
        transports: ['internal'],
      },
      clientExtensionResults: { credProps: { rk: true } },
    }
  }

  /** The answer to options that ask for this passkey. */
  use(options: Options, lies: Lies = {}) {
    const authData = this.#authData(lies)
    const clientData = this.#clientData('webauthn.get', options, lies)
    const signed = Buffer.concat([authData, sha256(clientData)])
    const userHandle = 'userHandle' in lies ? lies.userHandle : this.#userHandle
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: text64(clientData),
        authenticatorData: text64(authData),
        signature: text64(sign('sha256', signed, lies.key ?? this.#keys.privateKey)),
        ...(userHandle !== undefined && { userHandle }),
      },
      clientExtensionResults: {},
    }
  }

  /** A key that is of no passkey. */
  static foreignKey(): KeyObject {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  }
}
