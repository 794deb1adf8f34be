import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import busboy from '@fastify/busboy'
import { limits, refusals } from './refusals.ts'

/**
 * Reads the parameters of a call. "We support GET and POST HTTP methods. We support four ways of passing parameters in Bot API
 * requests: URL query string, application/x-www-form-urlencoded, application/json, multipart/form-data."
 */

export interface UploadedFile {
  name: string
  type: string
  content: Buffer
}

export interface CallInput {
  params: Record<string, unknown>
  files: Map<string, UploadedFile>
}

/** Form fields are text; lists, objects, numbers and booleans are encoded as JSON. */
function parseField(value: string): unknown {
  if (!/^(?:[[{]|-?\d+$|true$|false$)/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const textFields = new Set(['text', 'caption', 'url', 'secret_token', 'file_id'])

const toParams = (entries: Iterable<[string, string]>): Record<string, unknown> =>
  Object.fromEntries(
    [...entries].map(([name, value]) => [name, textFields.has(name) ? value : parseField(value)]),
  )

function readForm(request: IncomingMessage): Promise<CallInput> {
  const { promise, resolve, reject } = Promise.withResolvers<CallInput>()
  const fields: [string, string][] = []
  const files = new Map<string, UploadedFile>()
  const form = new busboy.Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    limits: { fieldSize: 1e7 },
  })
  form.on('field', (name, value) => void fields.push([name, value]))
  form.on('file', (field, stream, name, _encoding, type) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    stream.on('end', () => void files.set(field, { name, type, content: Buffer.concat(chunks) }))
  })
  form.on('finish', () => resolve({ params: toParams(fields), files }))
  form.on('error', reject)
  request.on('aborted', () => reject(new Error('The client closed the connection')))
  request.pipe(form)
  return promise
}

export async function readCall(request: IncomingMessage, query: URLSearchParams): Promise<CallInput> {
  const type = request.headers['content-type'] ?? ''
  // The limit for one file, plus room for the other fields.
  if (Number(request.headers['content-length'] ?? 0) > limits.fileBytes.max + 1_000_000)
    throw refusals.tooLarge()
  const given = toParams(query)
  if (type.startsWith('multipart/form-data')) {
    const form = await readForm(request)
    return { params: { ...given, ...form.params }, files: form.files }
  }
  const body = await text(request)
  if (!body) return { params: given, files: new Map() }
  const sent = type.startsWith('application/json') ? JSON.parse(body) : toParams(new URLSearchParams(body))
  return { params: { ...given, ...sent }, files: new Map() }
}
