import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

/** The body of a call: JSON, or a form if there are files. */

export interface BotApiFile {
  /** The name in attach://NAME. */
  field: string
  filename: string
  contentType: string
  size: number
  open(): Promise<Readable>
}

export interface EncodedBody {
  headers: Record<string, string | number>
  content: Readable
}

/** Escapes quotes and line breaks, which would end the header. */
const quoted = (name: string): string =>
  name.replaceAll(/["\r\n]/g, character => encodeURIComponent(character))

const fieldHead = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

async function* writeForm(
  fields: string,
  heads: string[],
  files: BotApiFile[],
  end: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(fields)
  for (const [at, file] of files.entries()) {
    yield Buffer.from(heads[at] ?? '')
    yield* await file.open()
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(end)
}

/** Includes the length, because some proxies refuse bodies without one. */
function encodeForm(params: Record<string, unknown>, files: BotApiFile[]): EncodedBody {
  const boundary = `deskbell${randomBytes(12).toString('hex')}`
  const fields = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${fieldHead(boundary, name)}\r\n\r\n${textOf(value)}\r\n`)
    .join('')
  const heads = files.map(
    ({ field, filename, contentType }) =>
      `${fieldHead(boundary, field)}; filename="${quoted(filename)}"\r\nContent-Type: ${contentType}\r\n\r\n`,
  )
  const end = `--${boundary}--\r\n`
  const texts = [fields, ...heads, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const size = files.reduce((sum, file) => sum + file.size + 2, texts)
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': size },
    content: Readable.from(writeForm(fields, heads, files, end), { objectMode: false }),
  }
}

export async function encodeCall(params: Record<string, unknown>, files: BotApiFile[]): Promise<EncodedBody> {
  if (files.length) return encodeForm(params, files)
  const body = Buffer.from(JSON.stringify(params))
  return {
    headers: { 'content-type': 'application/json', 'content-length': body.length },
    content: Readable.from([body]),
  }
}
