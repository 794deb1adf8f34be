import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { ApiError, BriefError, InvalidRequest, type Problem } from '../core/errors.ts'
import { errorOf } from '../core/thrown.ts'
import { maxFileBytes, maxFileNameLength } from './limits.ts'
import { watchUploadSpeed } from './upload-speed.ts'

/** Reads a multipart/form-data body as it arrives. Only the text fields are kept in memory. */

export interface UploadForm<T> {
  /** The result of `store` for the part `file`; null if there was none. */
  file: T | null
  filename: string | null
}

export type StoreFile<T> = (content: Readable, sentName: string) => Promise<T>

/** Bytes for boundaries, headers and text fields, in addition to the file. */
const overhead = 1024 * 1024

const limits = {
  files: 10,
  fields: 20,
  parts: 30,
  fieldSize: 4 * maxFileNameLength,
  headerPairs: 50,
  headerSize: 64 * 1024,
}

const problem = (
  type: string,
  part: string | null,
  msg: string,
  { ctx, input }: { ctx?: Problem['ctx']; input?: string } = {},
) => new InvalidRequest([{ type, loc: ['body', ...(part ? [part] : [])], msg, input, ...(ctx && { ctx }) }])

export const tooLarge = (): ApiError => new ApiError('MEDIA_TOO_LARGE', { max_bytes: maxFileBytes })
export const malformed = () =>
  problem('multipart_invalid', null, 'The body is not a multipart form that can be read')
export const missingFile = () => problem('missing', 'file', 'Field required')
export const emptyFile = () =>
  problem('too_short', 'file', 'File should not be empty', { ctx: { min_length: 1 } })

function open(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits, preservePath: true })
  } catch {
    throw malformed()
  }
}

function wrongName(name: string, isCut = false): InvalidRequest | null {
  if (isCut || name.length > maxFileNameLength) {
    const msg = `Length of the input should be at most ${maxFileNameLength}`
    return problem('string_too_long', 'filename', msg, {
      ctx: { max_length: maxFileNameLength },
      input: name,
    })
  }
  if (!name.includes('\0')) return null
  return problem('value_error', 'filename', 'Input should not contain NUL characters', { input: name })
}

/** The state of a form that is being read. */
class Reading<T> {
  filename: string | null = null
  content: Readable | null = null
  storing: Promise<T> | null = null
  readonly #store: StoreFile<T>
  readonly #done = Promise.withResolvers<void>()

  constructor(store: StoreFile<T>) {
    this.#store = store
  }

  /** Settles when the whole form has been read, or with the first error. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  readonly finish = () => this.#done.resolve()
  readonly fail = (error: unknown) => this.#done.reject(error)

  readonly takeFile = (part: string | undefined, content: Readable, name: string | undefined): void => {
    if (part !== 'file') return void content.on('error', () => this.fail(malformed())).resume()
    // `store` gets the error too, and reports it.
    content.on('error', () => {})
    if (this.storing)
      return void this.fail(problem('too_long', 'file', 'Send one file', { ctx: { max_length: 1 } }))
    const wrong = wrongName(name ?? '')
    if (wrong) return void this.fail(wrong)
    this.content = content
    this.storing = this.#store(content, name ?? '')
    this.storing.catch(this.fail)
  }

  readonly takeField = (part: string | undefined, value: string, _: boolean, isCut: boolean): void => {
    if (part === 'file') this.fail(problem('value_error', 'file', 'Input should be a file', { input: value }))
    if (part !== 'filename') return
    const wrong = wrongName(value, isCut)
    if (wrong) this.fail(wrong)
    else this.filename = value
  }
}

function follow<T>(request: IncomingMessage, form: BusboyInstance, reading: Reading<T>): void {
  let arrived = 0
  request.on('data', (chunk: Buffer) => {
    arrived += chunk.length
    if (arrived > maxFileBytes + overhead) reading.fail(tooLarge())
  })
  const cut = () => request.complete || reading.fail(new BriefError('bad_request'))
  request.on('error', cut).on('close', cut)
  // The client may have left while the key was looked up. Then no event reports that any more.
  if (request.destroyed) cut()
  form.on('file', reading.takeFile)
  form.on('field', reading.takeField)
  form.on('partsLimit', () => reading.fail(malformed()))
  form.on('error', () => reading.fail(malformed()))
  form.on('finish', reading.finish)
  request.pipe(form)
}

/** When this rejects, everything that `store` began has ended, and the rest of the body is left unread. */
export async function readUploadForm<T>(
  request: IncomingMessage,
  store: StoreFile<T>,
): Promise<UploadForm<T>> {
  if (Number(request.headers['content-length'] ?? 0) > maxFileBytes + overhead) throw tooLarge()
  const form = open(request)
  const reading = new Reading(store)
  const unwatch = watchUploadSpeed(request, () => reading.fail(new BriefError('request_timeout')))
  try {
    follow(request, form, reading)
    await reading.done
    return { file: reading.storing && (await reading.storing), filename: reading.filename }
  } catch (error) {
    request.unpipe(form)
    reading.content?.destroy(errorOf(error))
    await reading.storing?.catch(() => {})
    throw error
  } finally {
    unwatch()
  }
}
