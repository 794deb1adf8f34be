import iconv from 'iconv-lite'

/** Composes raw emails for tests in the formats of various mail programs. */

const head = [
  'From: Ann Berger <ann.berger@example.com>',
  'To: support@desk.example.com',
  'Date: Tue, 03 Nov 2026 10:12:00 +0100',
  'Message-ID: <m1@mail.example.com>',
  'MIME-Version: 1.0',
]

/** A single-part email. Headers and text are encoded in `charset` (an iconv-lite name). */
export function textMail(headers: string[], text: string, charset = 'utf8'): Buffer {
  const named = new Set(headers.map(line => line.split(':')[0]))
  const kept = head.filter(line => !named.has(line.split(':')[0]))
  return iconv.encode([...kept, ...headers, '', text].join('\n').replaceAll('\n', '\r\n'), charset)
}

export interface TestPart {
  headers: string[]
  body: string | Buffer
}

export const part = (type: string, body: string | Buffer, ...headers: string[]): TestPart => ({
  headers: [`Content-Type: ${type}`, ...headers],
  body,
})

const bytesOf = (body: string | Buffer): Buffer =>
  typeof body === 'string' ? Buffer.from(body.replaceAll(/\r?\n/g, '\r\n')) : body

/** The body of a multipart. */
export function joinParts(boundary: string, parts: TestPart[]): Buffer {
  const written = parts.flatMap(({ headers, body }) => [
    Buffer.from(`--${boundary}\r\n${headers.map(line => `${line}\r\n`).join('')}\r\n`),
    bytesOf(body),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

/** A multipart that contains the given parts. */
export const group = (subtype: string, boundary: string, ...parts: TestPart[]): TestPart => ({
  headers: [`Content-Type: multipart/${subtype}; boundary="${boundary}"`],
  body: joinParts(boundary, parts),
})

/** An email whose body is the given part. */
export const mailOf = ({ headers, body }: TestPart, ...others: string[]): Buffer =>
  Buffer.concat([textMail([...others, ...headers], ''), bytesOf(body)])

export const base64 = 'Content-Transfer-Encoding: base64'

/** A one-pixel PNG of 70 bytes in base64. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
