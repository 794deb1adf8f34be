import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

export const hmacHex = (secret: string, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/** In a time that tells nothing of where they differ. */
export const isSame = (given: Buffer, right: Buffer): boolean =>
  given.length === right.length && timingSafeEqual(given, right)

const nonceBytes = 12
const tagBytes = 16

/** Seals secrets that must be read again (webhook secrets): AES-256-GCM, as nonce + tag + ciphertext. */
export interface Vault {
  seal(text: string): Buffer
  open(sealed: Buffer): string
  /** A key for another purpose, which tells nothing of the vault's own. */
  derive(purpose: string): Buffer
}

export function createVault(key: Buffer): Vault {
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      const body = sealed.subarray(nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
    derive: purpose => Buffer.from(hkdfSync('sha256', key, '', `deskbell ${purpose}`, 32)),
  }
}
