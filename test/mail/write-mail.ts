/** The headers of an email that a test writes. Each has another Message-ID. */
export interface WrittenMail {
  from: string
  to?: string
  cc?: string
  replyTo?: string
  /** The Message-ID of the email that it answers, without angle brackets. */
  answers?: string
  subject?: string
  /** More headers, such as `Authentication-Results`. */
  headers?: string[]
  text?: string
}

let count = 0

export function writeMail(mail: WrittenMail): { id: string; raw: string } {
  const id = `written.${++count}@mail.example`
  const { from, to, cc, replyTo, answers, subject = 'Lamp', headers = [], text = `Number ${count}` } = mail
  const lines = [
    ...headers,
    `From: ${from}`,
    `To: ${to ?? 'support@acme.example'}`,
    ...(cc ? [`Cc: ${cc}`] : []),
    ...(replyTo ? [`Reply-To: ${replyTo}`] : []),
    ...(answers ? [`In-Reply-To: <${answers}>`] : []),
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'Date: Thu, 05 Nov 2026 10:00:00 +0000',
    ...['', text, ''],
  ]
  return { id, raw: lines.join('\r\n') }
}
