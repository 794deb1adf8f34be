import assert from 'node:assert/strict'
import { request as openRequest } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'
import type { Answer, Client } from './client.ts'

/** One part of a form. `name` is the name of the field; only files have a `filename`. */
export interface Part {
  name?: string
  filename?: string | null
  type?: string
  content: string | Uint8Array
}

export const boundary = 'a-boundary-that-stands-nowhere-else'
export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

const quote = (text: string): string =>
  text.replace(/["\r\n]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** The head of a part, as browsers write it. */
export function headOf({ name = 'file', filename = 'a.txt', type }: Omit<Part, 'content'>): string {
  const file = filename === null ? '' : `; filename="${quote(filename)}"`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
}

export const formEnd = `\r\n--${boundary}--\r\n`

export const formOf = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part, at) => [
      Buffer.from(`${at ? '\r\n' : ''}${headOf(part)}`),
      Buffer.from(part.content as string),
    ]),
    Buffer.from(formEnd),
  ])

export const upload = (
  api: Client,
  parts: Part | Part[],
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api.post('/media/upload', undefined, {
    raw: formOf(...[parts].flat()),
    headers: { ...formType, ...headers },
  })

export async function makeUpload(api: Client, part: Partial<Part> = {}) {
  const answer = await upload(api, { content: 'Hello', ...part })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const chunkOf = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const edge = Buffer.alloc(8)
  edge.writeUInt32BE(data.length)
  edge.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([edge.subarray(0, 4), body, edge.subarray(4)])
}

/** A grey image. */
export function png(width: number, height: number): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (width + 1), 0))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', size),
    chunkOf('IDAT', rows),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/** Uploads an image. */
export const makePicture = (api: Client) => makeUpload(api, { filename: 'a.png', content: png(800, 600) })

/** Uploads this many bytes, generated while sending. Resolves with the response, even if it arrives early. */
export function uploadBytes(
  base: string,
  key: string,
  size: number,
  { isChunked = false, headers = {} }: { isChunked?: boolean; headers?: Record<string, string> } = {},
): Promise<Answer & { isCut: boolean }> {
  const head = headOf({ filename: 'large.bin' })
  const length = head.length + size + formEnd.length
  const request = openRequest(`${base}/media/upload`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      ...formType,
      ...(!isChunked && { 'content-length': length }),
      ...headers,
    },
  })
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let left = size
  const send = () => {
    while (left > 0) {
      const next = chunk.subarray(0, Math.min(left, chunk.length))
      left -= next.length
      if (!request.write(next)) return void request.once('drain', send)
    }
    request.end(formEnd)
  }
  request.write(head)
  send()
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', async response => {
      const text = Buffer.concat(await response.toArray()).toString()
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode!, headers, body: JSON.parse(text), text, isCut: left > 0 })
    })
  })
}
