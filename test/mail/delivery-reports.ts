/** Writes delivery status notifications (RFC 3464), read receipts (RFC 8098) and spam complaints (RFC 5965). */

export interface ReportedRecipient {
  address: string
  action?: 'failed' | 'delayed' | 'relayed' | 'delivered'
  /** An enhanced status code. */
  status?: string
  /** What the server said. */
  words?: string
}

interface Report {
  /** The address to which the report is sent. */
  to: string
  /** Headers of the returned email. */
  returned?: string
}

let count = 0

const writeReport = (
  { to, returned }: Report,
  { from, kind, type, fields }: { from: string; kind: string; type: string; fields: string },
): string =>
  `Return-Path: <>
From: ${from}
To: ${to}
Subject: Report ${++count}
Message-ID: <report.${count}@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${kind}; boundary="r"

--r
Content-Type: text/plain

This is a report.

--r
Content-Type: ${type}

${fields}
${returned === undefined ? '' : `--r\nContent-Type: text/rfc822-headers\n\n${returned}\n`}
--r--
`.replaceAll('\n', '\r\n')

export function writeDsn(report: Report, recipients: ReportedRecipient[]): string {
  const groups = recipients.map(
    ({ address, action = 'failed', status = '5.1.1', words = '550 5.1.1 No such user' }) =>
      `Final-Recipient: rfc822; ${address}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; ${words}\n`,
  )
  return writeReport(report, {
    from: 'Mail Delivery System <MAILER-DAEMON@mx.example.net>',
    kind: 'delivery-status',
    type: 'message/delivery-status',
    fields: ['Reporting-MTA: dns; mx.example.net\n', ...groups].join('\n'),
  })
}

export const writeReceipt = (
  report: Report,
  address: string,
  id: string,
  disposition = 'displayed',
): string =>
  writeReport(report, {
    from: address,
    kind: 'disposition-notification',
    type: 'message/disposition-notification',
    fields: `Final-Recipient: rfc822; ${address}\nOriginal-Message-ID: <${id}>\nDisposition: manual-action/MDN-sent-manually; ${disposition}\n`,
  })

export const writeComplaint = (report: Report, address: string | null, type = 'abuse'): string =>
  writeReport(report, {
    from: 'fbl@provider.example',
    kind: 'feedback-report',
    type: 'message/feedback-report',
    fields: `Feedback-Type: ${type}\nUser-Agent: Provider/1\nVersion: 1\n${address === null ? '' : `Original-Rcpt-To: ${address}\n`}`,
  })
