import { Readable } from 'node:stream'
import { errorOf } from '../../../core/thrown.ts'
import { type BuildError, toBuildError } from './build-error.ts'
import type { RecipientResult } from './outgoing-queries.ts'
import type { DeliveryCode } from './sent-delivery.ts'
import type { EnvelopeAnswers, SmtpEnvelope, SmtpError, SmtpSession } from './smtp-session.ts'

/** One attempt to send an email over an open connection. */

export type AttemptOutcome =
  /** The server has answered for each recipient. */
  | { kind: 'answered'; results: RecipientResult[]; serverMessageId: string | null }
  /** All of the email was sent, and the server's answer was lost. */
  | { kind: 'uncertain'; reason: string }
  /** The server does not let the mailbox send, or the connection failed. No recipient has the email. */
  | { kind: 'broken'; error: SmtpError }
  /** The email could not be built or read, so no recipient has it. */
  | { kind: 'build_failed'; error: BuildError }
  /** The process is stopping, or the email must no longer be sent. No recipient has it. */
  | { kind: 'stopped' }

export interface SendAttempt {
  session: SmtpSession
  envelope: SmtpEnvelope
  content: Readable
  commandMs: number
  stopping: AbortSignal
  /** Called before the last bytes, with the results so far. The last bytes are sent only if it resolves with true. */
  onEnding(results: RecipientResult[]): Promise<boolean>
}

/** The server requires a login, or rejects it. */
const loginCodes = [530, 534, 535, 538]

const maxWords = 500

const wordsOf = ({ response = '', message }: SmtpError): string =>
  (response || message)
    .replaceAll('\0', '')
    .split('\n')
    .map(line => line.replace(/^\d{3}[ -]/, '').trim())
    .join(' ')
    .slice(0, maxWords)

/** A temporary refusal leaves the recipient pending. */
const refused = (address: string, error: SmtpError): RecipientResult => ({
  address,
  status: (error.responseCode ?? 0) >= 500 ? 'failed' : 'pending',
  code: String(error.responseCode ?? ''),
  words: wordsOf(error),
})

const unanswered = (address: string): RecipientResult => ({
  address,
  status: 'pending',
  code: null,
  words: null,
})

/** The answers for each recipient before the email itself: refused, or accepted and still without a result. */
const resultsOf = ({ accepted, rejectedErrors }: EnvelopeAnswers): RecipientResult[] => [
  ...accepted.map(unanswered),
  ...rejectedErrors.map(error => refused(error.recipient, error)),
]

/**
 * The server has refused the email for all recipients that it had not refused before, or it has refused the sender. If the sender was
 * refused, the pipelined responses for the recipients only say that there is no sender.
 */
function refuseAll(to: string[], { rejectedErrors }: EnvelopeAnswers, error: SmtpError): RecipientResult[] {
  const answered = error.command === 'MAIL FROM' ? [] : rejectedErrors
  const known = answered.map(one => refused(one.recipient, one))
  const others = to.filter(address => !known.some(one => one.address === address))
  return [...known, ...others.map(address => refused(address, error))]
}

const isTooLarge = ({ code, responseCode, command }: SmtpError): boolean =>
  code === 'EMESSAGE' && responseCode === undefined && command === 'MAIL FROM'

class Stopped extends Error {}

async function* readContent(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw toBuildError(error)
  }
}

/** Passes the content on, but waits with the last chunk until `onEnding` has resolved. */
async function* holdEnd(content: AsyncIterable<Buffer>, onChunk: () => void, onEnding: () => Promise<void>) {
  let last: Buffer | null = null
  for await (const chunk of content) {
    onChunk()
    if (last) yield last
    last = chunk
  }
  await onEnding()
  if (last) yield last
}

function describeError(error: SmtpError, to: string[], answers: EnvelopeAnswers): AttemptOutcome {
  if (loginCodes.includes(error.responseCode ?? 0)) return { kind: 'broken', error }
  if (error.responseCode)
    return { kind: 'answered', results: refuseAll(to, answers, error), serverMessageId: null }
  if (!isTooLarge(error)) return { kind: 'broken', error }
  const results = to.map(address => ({
    ...{ address, status: 'failed' as const, code: null, words: 'too_large' satisfies DeliveryCode },
  }))
  return { kind: 'answered', results, serverMessageId: null }
}

/** Rejects with an BuildError if the content cannot be read, or if `onEnding` rejects. In both cases no recipient has the email. */
export async function tryToSend(attempt: SendAttempt): Promise<AttemptOutcome> {
  const { session, envelope, content, commandMs, stopping, onEnding } = attempt
  const answers: EnvelopeAnswers = { accepted: [], rejectedErrors: [] }
  let isEnded = false
  let fault: unknown = null
  const timer = setTimeout(() => session.close(new Error('The server did not answer in time')), commandMs)
  const stop = () => {
    if (!isEnded) session.close(new Stopped())
  }
  stopping.addEventListener('abort', stop)
  const end = async () => {
    clearTimeout(timer)
    if (stopping.aborted || !(await onEnding(resultsOf(answers)))) throw new Stopped()
    isEnded = true
  }
  async function* guarded() {
    try {
      yield* holdEnd(readContent(content), () => timer.refresh(), end)
    } catch (error) {
      fault = error
      throw error
    }
  }
  try {
    const receipt = await session.send(envelope, Readable.from(guarded(), { objectMode: false }), answers)
    const results = resultsOf(answers).map(one =>
      one.status === 'pending' && one.code === null ? { ...one, status: 'sent' as const } : one,
    )
    return { kind: 'answered', results, serverMessageId: receipt.serverMessageId ?? null }
  } catch (error) {
    const failed: SmtpError = errorOf(error)
    // After a refusal, some servers still have the transaction open.
    session.close()
    if (isEnded && !failed.responseCode) return { kind: 'uncertain', reason: failed.message }
    if (failed instanceof Stopped || fault instanceof Stopped) return { kind: 'stopped' }
    if (fault && !failed.responseCode) throw fault
    return describeError(failed, envelope.to, answers)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', stop)
    content.destroy()
  }
}
