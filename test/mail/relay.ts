import { deliverByLmtp } from '../dovecot.ts'
import type { TestServer } from '../server.ts'
import { type SinkScript, startSink } from './sink.ts'

/** A mail server that delivers what it accepts to a Deskbell server, and adds a header about its checks of the sender. */
export function startRelay(
  context: { after(run: () => unknown): void },
  { port }: { server: TestServer; port: number },
  { onMail, ...script }: SinkScript = {},
) {
  const header = 'Authentication-Results: mx.acme.example; spf=pass; dkim=none; dmarc=fail\r\n'
  return startSink(context, {
    ...script,
    async onMail(mail) {
      const answer = (await onMail?.(mail)) ?? 'accept'
      if (answer === 'accept') for (const to of mail.to) await deliverByLmtp(port, to, header + mail.raw)
      // `cut` simulates an email that is accepted and then lost.
      return answer === 'cut' ? 'accept' : answer
    },
  })
}
