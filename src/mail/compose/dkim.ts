import { createPrivateKey } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import type { DkimKey } from './outgoing-email.ts'

/** Bytes. A larger body is in a temporary file while it is signed. */
const maxInMemory = 256 * 1024

/** Signs an email with nodemailer's signer, which would send the email unsigned if it could not use the key. */
export async function makeSigner(key: DkimKey): Promise<(email: Readable) => Readable> {
  if (createPrivateKey(key.privateKey).asymmetricKeyType !== 'rsa')
    throw new Error('DKIM: the private key is not an RSA key')
  const { default: Dkim } = await import('nodemailer/lib/dkim')
  const dkim = new Dkim({
    keys: [{ domainName: key.domain, keySelector: key.selector, privateKey: key.privateKey }],
    cacheDir: tmpdir(),
    cacheTreshold: maxInMemory,
  })
  return email => dkim.sign(email)
}
