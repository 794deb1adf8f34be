import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { newId } from '../../../core/ids.ts'

/** Who gets a reply by default. */

const support = 'support@acme.example'
let receiving: Receiving

before(async () => {
  receiving = await startReceiving()
  const { db, acme } = receiving.server
  await openMailbox(receiving, support, {
    aliases: ['help@acme.example'],
    form_senders: ['website@shop.example'],
    authserv_ids: ['mx.acme.example'],
  })
  await openMailbox(receiving, 'billing@acme.example')
  await db`
    insert into operators (project_id, id, name, email) values (${acme.id}, ${newId()}, 'Omar', 'omar@acme.example')`
})
after(() => receiving.close())

const pass = ['Authentication-Results: mx.acme.example; dmarc=pass header.from=example.com']
const fail = ['Authentication-Results: mx.acme.example; dmarc=fail header.from=example.com']

interface Sent {
  id: string
  ticket_id: string
}

interface Fixture {
  title: string
  /** Each email answers the first one, unless it answers another or has a subject of its own. */
  mails: WrittenMail[]
  /** Changes the ticket of the first email. */
  change?: (ticketId: string, sent: Sent[]) => Promise<unknown>
  to: string[]
  cc?: string[]
}

const addParticipants =
  (...addresses: string[]) =>
  (ticketId: string) =>
    receiving.server.api.put(`/tickets/${ticketId}/participants`, {
      participants: addresses.map(address => ({ address })),
    })

const fixtures: Fixture[] = [
  {
    title: 'a reply goes to the sender of the email',
    mails: [{ from: 'Ann Lee <ann1@example.com>' }],
    to: ['ann1@example.com'],
  },
  {
    title: 'a reply goes to the address in Reply-To instead of that in From',
    mails: [{ from: 'ann2@example.com', replyTo: 'office2@example.com' }],
    to: ['office2@example.com'],
  },
  {
    title: 'the other recipients in To and Cc get the reply, each once and without the sender',
    mails: [
      {
        from: 'ann3@example.com',
        to: `Ben <ben@example.com>, ${support}`,
        cc: 'carl@example.com, BEN@example.com, Ann3@Example.com',
      },
    ],
    to: ['ann3@example.com'],
    cc: ['ben@example.com', 'carl@example.com'],
  },
  {
    title:
      'no mailbox of the project gets the reply, neither at an alias, nor another mailbox, nor at an address with a tag',
    mails: [
      {
        from: 'ann4@example.com',
        to: 'HELP@acme.example',
        cc: 'billing@acme.example, support+r.1@acme.example, help+spring+sale@acme.example, ben@example.com',
      },
    ],
    to: ['ann4@example.com'],
    cc: ['ben@example.com'],
  },
  {
    title: 'a reply goes to the sender if Reply-To has only an address of a mailbox',
    mails: [{ from: 'ann5@example.com', replyTo: 'support+x@acme.example' }],
    to: ['ann5@example.com'],
  },
  {
    title: 'a reply goes to a mailing list that is in Reply-To',
    mails: [
      {
        from: 'ann6@example.com',
        replyTo: 'Club <club@lists.example>',
        to: 'club@lists.example',
        cc: support,
        headers: ['List-Id: <club.lists.example>'],
      },
    ],
    to: ['club@lists.example'],
  },
  {
    title: 'an operator who was in Cc stays in Cc',
    mails: [{ from: 'ann7@example.com', cc: 'omar@acme.example' }],
    to: ['ann7@example.com'],
    cc: ['omar@acme.example'],
  },
  {
    title: 'people who were removed from the ticket are left out, and people who were added are in Cc',
    mails: [{ from: 'ann8@example.com', cc: 'ben@example.com, carl@example.com' }],
    change: addParticipants('carl@example.com', 'dora@example.com'),
    to: ['ann8@example.com'],
    cc: ['carl@example.com', 'dora@example.com'],
  },
  {
    title: 'people who were left out of the newest email are left out of the reply',
    mails: [
      { from: 'ann9@example.com', cc: 'ben@example.com, carl@example.com' },
      { from: 'ann9@example.com', cc: 'carl@example.com' },
    ],
    to: ['ann9@example.com'],
    cc: ['carl@example.com'],
  },
  {
    title: "the contact's newest email determines the recipients, even if a colleague has written since",
    mails: [
      { from: 'ann10@example.com', cc: 'ben@example.com' },
      { from: 'ben@example.com', cc: 'stranger@example.net' },
    ],
    to: ['ann10@example.com'],
    cc: ['ben@example.com'],
  },
  {
    title: 'people of a ticket that was merged into this one are left out',
    mails: [
      { from: 'ann11@example.com', cc: 'ben@example.com' },
      { from: 'eva11@example.net', cc: 'fred@example.net', subject: 'Another matter' },
    ],
    change: (ticketId, [, other]) =>
      receiving.server.api.post(`/tickets/${other!.ticket_id}/merge`, {
        into_ticket_id: ticketId,
        force: true,
      }),
    to: ['ann11@example.com'],
    cc: ['ben@example.com'],
  },
  {
    title:
      'a reply to an email that an operator forwarded goes to the customer, without the other recipients of the operator',
    mails: [
      {
        from: 'Omar <omar@acme.example>',
        cc: 'olga@acme.example',
        subject: 'Fwd: Lamp',
        headers: pass,
        text: [
          'Please look at this.',
          '',
          '---------- Forwarded message ---------',
          'From: Ann Lee <ann12@example.com>',
          'Date: Thu, Nov 5, 2026 at 9:00 AM',
          'Subject: Lamp',
          'To: <omar@acme.example>',
          '',
          'My lamp is broken.',
        ].join('\r\n'),
      },
    ],
    to: ['ann12@example.com'],
  },
  {
    title: 'a reply to a contact form goes to the person who filled it in',
    mails: [{ from: 'Website <website@shop.example>', replyTo: 'Ann <ann13@example.com>' }],
    to: ['ann13@example.com'],
  },
  {
    title: 'an unverified email that joined the ticket by its number does not determine the recipients',
    mails: [
      { from: 'ann14@example.com', cc: 'ben@example.com' },
      {
        from: 'ann14@example.com',
        replyTo: 'thief@example.net',
        cc: 'thief2@example.net',
        subject: 'number',
      },
    ],
    to: ['ann14@example.com'],
    cc: ['ben@example.com'],
  },
  {
    title: 'an email that failed DMARC does not determine the recipients if there is another one',
    mails: [
      { from: 'ann15@example.com', headers: pass },
      { from: 'ann15@example.com', replyTo: 'thief@example.net', headers: fail },
    ],
    to: ['ann15@example.com'],
  },
  {
    title: 'an automatic reply does not determine the recipients',
    mails: [
      { from: 'ann16@example.com', cc: 'ben@example.com' },
      { from: 'ann16@example.com', replyTo: 'robot@example.com', headers: ['Auto-Submitted: auto-replied'] },
    ],
    to: ['ann16@example.com'],
    cc: ['ben@example.com'],
  },
]

async function deliver(mail: WrittenMail, first: Sent | undefined): Promise<Sent> {
  const { api } = receiving.server
  const isNumber = mail.subject === 'number'
  const number = isNumber && (await api.get(`/tickets/${first!.ticket_id}`)).body.short_id
  const given = {
    ...(first && !mail.subject && { answers: first.id }),
    ...mail,
    ...(isNumber && { subject: `Lamp [#${number}]` }),
  }
  const { id, raw } = writeMail(given)
  const { ticket_id } = await receive(receiving, support, raw)
  return { id, ticket_id: ticket_id! }
}

for (const { title, mails, change, to, cc = [] } of fixtures)
  test(title, async () => {
    const sent: Sent[] = []
    for (const mail of mails) sent.push(await deliver(mail, sent[0]))
    const ticketId = sent[0]!.ticket_id
    const isMerged = mails.some(({ subject }) => subject === 'Another matter')
    if (!isMerged) assert.deepEqual(new Set(sent.map(one => one.ticket_id)), new Set([ticketId]))
    await change?.(ticketId, sent)
    const { status, body } = await receiving.server.api.get(`/tickets/${ticketId}/reply-recipients`)
    assert.equal(status, 200)
    assert.deepEqual([body.to, body.cc, body.bcc], [to, cc, []])
  })
