import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { refuseWith } from '../submission.ts'

type Answer = [code: number, words: string]

interface Refusals {
  /** Answers to RCPT TO, by local part. */
  recipients: Record<string, Answer>
  /** Answers after the content of an email, by the local part of one of its recipients. */
  contents?: Record<string, Answer>
}

/** Starts a mail server that refuses emails to these recipients and accepts all others. Returns its port. */
export async function startRefusing(
  context: { after(run: () => unknown): void },
  { recipients, contents = {} }: Refusals,
): Promise<number> {
  const refusal = (answers: Record<string, Answer>, address: string): Error | null => {
    const answer = answers[address.split('@')[0]!]
    return answer ? refuseWith(...answer) : null
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(refusal(recipients, address)),
    onData(stream, { envelope }, done) {
      const refused = envelope.rcptTo.map(({ address }) => refusal(contents, address))
      stream.resume().on('end', () => done(refused.find(one => one !== null) ?? null))
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  context.after(() => new Promise<void>(resolve => server.close(resolve)))
  await once(listening, 'listening')
  return (listening.address() as AddressInfo).port
}
