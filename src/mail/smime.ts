import type * as Pkijs from 'pkijs'
import { lazyRequire } from '../core/async/lazy-require.ts'

const pkijs = lazyRequire<typeof Pkijs>('pkijs')

export type Envelope = { kind: 'signed'; content: Buffer } | { kind: 'encrypted' } | { kind: 'other' }

const signedData = '1.2.840.113549.1.7.2'
const encryptedKinds = new Set([
  '1.2.840.113549.1.7.3',
  '1.2.840.113549.1.7.6',
  // AuthEnvelopedData
  '1.2.840.113549.1.9.16.1.23',
])

/** Opens an application/pkcs7-mime part. Signatures are not verified. */
export function openEnvelope(bytes: Buffer): Envelope {
  const { ContentInfo, SignedData } = pkijs()
  try {
    const info = ContentInfo.fromBER(bytes)
    if (encryptedKinds.has(info.contentType)) return { kind: 'encrypted' }
    if (info.contentType !== signedData) return { kind: 'other' }
    const content = new SignedData({ schema: info.content }).encapContentInfo.eContent?.getValue()
    return content ? { kind: 'signed', content: Buffer.from(content) } : { kind: 'other' }
  } catch {
    return { kind: 'other' }
  }
}
