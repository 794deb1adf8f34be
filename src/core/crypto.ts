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

/** Compares in constant time. */
export const isSame = (given: Buffer, right: Buffer): boolean =>
  given.length === right.length && timingSafeEqual(given, right)

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts secrets that must be read again, such as webhook secrets: AES-256-GCM, as nonce + tag + ciphertext. Each is bound to a
 * label, such as `webhooks` and the project's id. So an attacker who can write to the database but lacks the key cannot have a
 * secret decrypted in another project's row, or in a field that is displayed.
 */
export interface Vault {
  seal(text: string, label: string): Buffer
  open(sealed: Buffer, label: string): string
  /** Derives a key for another purpose. It reveals nothing about the vault's own key. */
  derive(purpose: string): Buffer
}

function decrypt(key: Buffer, sealed: Buffer, label: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  const body = sealed.subarray(nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

export function createVault(key: Buffer): Vault {
  return {
    seal(text, label) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(label))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed, label) {
      try {
        return decrypt(key, sealed, label)
      } catch {
        // Encrypted by a version without labels.
        return decrypt(key, sealed, '')
      }
    },
    derive: purpose => Buffer.from(hkdfSync('sha256', key, '', `deskbell ${purpose}`, 32)),
  }
}
