import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts the contents of a notification for one browser (RFC 8291), so that its push service cannot read them. */

export interface PushKeys {
  /** The public key of the browser, base64url. */
  p256dh: string
  /** The shared secret, base64url. */
  auth: string
}

const curve = 'prime256v1'
const recordBytes = 4096

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** The salt and the private key are new for each notification; the tests give those of the RFC. */
interface Randomness {
  salt: Buffer
  privateKey: Buffer | null
}

/** Throws if the key of the browser is not a point of the curve. */
export function encryptPush(
  content: string,
  { p256dh, auth }: PushKeys,
  { salt, privateKey }: Randomness = { salt: randomBytes(16), privateKey: null },
): Buffer {
  const own = createECDH(curve)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const [ownKey, browserKey] = [own.getPublicKey(), Buffer.from(p256dh, 'base64url')]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const key = derive(own.computeSecret(browserKey), Buffer.from(auth, 'base64url'), info, 32)
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordBytes)
  // The byte 2 ends the last record.
  const body = Buffer.concat([cipher.update(content, 'utf8'), cipher.update('\u0002'), cipher.final()])
  return Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey, body, cipher.getAuthTag()])
}
