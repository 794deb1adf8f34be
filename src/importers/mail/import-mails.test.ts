import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArchivedMail, startImporting, writeMbox } from '../../../test/importing.ts'

const importing = await startImporting()
const { server, folder, run, importJson, listSkipped, get } = importing
const { db, acme, outsider } = server

await db`
  insert into operators (project_id, id, name, email) values (${acme.id}, gen_random_uuid(), 'Omar', 'omar@acme.example')`

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 5, 10, minutes)).toUTCString()

let archives = 0
/** Imports emails under a new name, so that tests do not share imports. */
async function importMails(mails: (ArchivedMail | string)[], ...words: string[]) {
  const source = `archive-${++archives}`
  const path = writeMbox(folder, `${source}.mbox`, mails)
  return { ...(await importJson('mbox', path, '--source', source, ...words)), path }
}

/** The tickets of a contact, with their messages. */
async function listTickets(email: string) {
  const { items } = await get(`/tickets?contact_email=${encodeURIComponent(email)}&order=asc`)
  const own = items.filter((one: { contact: { email: string } | null }) => one.contact?.email === email)
  return Promise.all(
    own.map(async (ticket: { id: string }) => ({
      ...ticket,
      messages: (await get(`/tickets/${ticket.id}/messages`)).items,
    })),
  )
}

const talk = (name: string): ArchivedMail[] => [
  {
    id: `${name}.3`,
    from: `Ann <${name}@example.com>`,
    answers: `${name}.2`,
    date: at(30),
    subject: 'Re: Lamp',
  },
  { id: `${name}.1`, from: `Ann <${name}@example.com>`, date: at(0) },
  {
    id: `${name}.2`,
    from: 'omar@acme.example',
    to: `${name}@example.com`,
    answers: `${name}.1`,
    date: at(20),
    subject: 'Re: Lamp',
  },
]

test('a conversation becomes one closed ticket, with its messages in the order of their dates and not of the archive', async () => {
  const counts = await importMails([...talk('order'), { id: 'other', from: 'Bob <bob@example.com>' }])
  assert.partialDeepStrictEqual(counts, {
    tickets: { created: 2 },
    messages: { created: 4 },
    contacts: { created: 2 },
    skipped: 0,
    unmapped: [],
  })
  const [ticket, ...others] = await listTickets('order@example.com')
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(ticket, {
    subject: 'Lamp',
    status: 'closed',
    channel: 'email',
    created_at: '2026-01-05T10:00:00.000000',
    closed_at: '2026-01-05T10:30:00.000000',
  })
  assert.deepEqual(
    ticket.messages.map((one: Record<string, unknown>) => [one.sender_type, one.sender_name, one.content]),
    [
      ['contact', 'Ann', 'Text of order.1'],
      ['operator', 'Omar', 'Text of order.2'],
      ['contact', 'Ann', 'Text of order.3'],
    ],
  )
  assert.equal((await outsider.get('/tickets')).body.items.length, 0)
})

test('emails from --own addresses and domains become messages of the project, and the customer becomes the contact', async () => {
  await importMails(
    [
      { id: 'own.1', from: 'Shop <shop@acme.example>', to: 'Cara <cara@example.com>', date: at(1) },
      {
        id: 'own.2',
        from: 'Sales <sales@old.example>',
        answers: 'own.1',
        to: 'cara@example.com',
        date: at(2),
      },
    ],
    '--own',
    'shop@acme.example,@old.example',
    '--status',
    'open',
  )
  const [ticket] = await listTickets('cara@example.com')
  assert.equal(ticket.status, 'open')
  assert.deepEqual(
    ticket.messages.map((one: Record<string, unknown>) => [one.sender_type, one.sender_name]),
    [
      ['bot', 'Shop'],
      ['bot', 'Sales'],
    ],
  )
})

test('a second run imports nothing twice, and adds new emails of the archive to the same tickets', async () => {
  const [last, first, middle] = talk('grown')
  const { path } = await importMails([first!])
  const source = `archive-${archives}`
  const again = await importJson('mbox', path, '--source', source)
  assert.partialDeepStrictEqual(again, { messages: { created: 0, existing: 1 }, tickets: { created: 0 } })
  const later = writeMbox(folder, 'later.mbox', [last!, middle!, first!])
  const grown = await importJson('mbox', path, later, '--source', source)
  assert.partialDeepStrictEqual(grown, { messages: { created: 2, existing: 1 }, tickets: { created: 0 } })
  const [ticket, ...others] = await listTickets('grown@example.com')
  assert.deepEqual([ticket.messages.length, others.length], [3, 0])
})

test('a duplicate is imported once, even without a Message-ID, and different emails with the same Message-ID are all imported', async () => {
  const mail = { from: 'dora@example.com', body: 'No id' }
  const copy = { id: 'copy', from: 'dora@example.com', body: 'With id' }
  const counts = await importMails([mail, mail, copy, { ...copy, headers: ['Received: elsewhere'] }])
  assert.partialDeepStrictEqual(counts, { tickets: { created: 2 }, messages: { created: 2 } })
  const same = [1, 2, 3].map(one => ({ id: 'same', from: 'eve@example.com', body: `Number ${one}` }))
  assert.partialDeepStrictEqual(await importMails(same), {
    tickets: { created: 3 },
    messages: { created: 3 },
  })
})

test('a dry run writes nothing', async () => {
  const before =
    await db`select (select count(*) from tickets), (select count(*) from contacts), (select count(*) from media)`
  const counts = await importMails(talk('dry'), '--dry-run')
  assert.partialDeepStrictEqual(counts, {
    is_dry_run: true,
    tickets: { created: 1 },
    messages: { created: 3 },
  })
  const later =
    await db`select (select count(*) from tickets), (select count(*) from contacts), (select count(*) from media)`
  assert.deepEqual([...later], [...before])
  assert.deepEqual(await listTickets('dry@example.com'), [])
})

test('a conversation of more than a hundred emails becomes one ticket with all of them', async () => {
  const mails = Array.from({ length: 230 }, (_, n) => ({
    ...{ id: `long.${n}`, from: 'long@example.com', date: at(n) },
    ...(n > 0 && { answers: `long.${n - 1}` }),
  }))
  const counts = await importMails(mails)
  assert.partialDeepStrictEqual(counts, { tickets: { created: 1 }, messages: { created: 230 } })
  const [row] = await db`
    select count(distinct m.ticket_id)::int as tickets, count(*)::int as messages from messages m
    where m.project_id = ${acme.id} and m.email->>'from' = 'long@example.com'`
  assert.deepEqual(row, { tickets: 1, messages: 230 })
})

test('an email without a sender is skipped, and listed with the reason', async () => {
  const counts = await importMails(['Subject: Nobody\nMessage-ID: <nobody>\n\nText\n'])
  assert.partialDeepStrictEqual(counts, { skipped: 1, messages: { created: 0 } })
  assert.partialDeepStrictEqual(listSkipped(), [{ record: 'source', reason: 'no_sender' }])
})

test('files and inline pictures are stored once, and quoted text is folded', async () => {
  const picture = '<img src="cid:dot@example.com"> Hello'
  const parts = [
    ...['--x', 'Content-Type: text/html', '', picture],
    ...[
      '--x',
      'Content-Type: image/gif',
      'Content-ID: <dot@example.com>',
      'Content-Transfer-Encoding: base64',
    ],
    ...['', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
    ...['--x', 'Content-Type: text/plain; name=notes.txt', 'Content-Disposition: attachment', '', 'Notes'],
    '--x--',
  ]
  const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x']
  const { path } = await importMails([
    { id: 'file.1', from: 'fay@example.com', headers, body: parts.join('\n'), date: at(1) },
    {
      ...{ id: 'file.2', from: 'omar@acme.example', to: 'fay@example.com', answers: 'file.1', date: at(2) },
      body: 'Thanks.\n\nOn Monday fay@example.com wrote:\n> Hello',
    },
  ])
  const [{ messages }] = await listTickets('fay@example.com')
  const [first, second] = messages
  assert.deepEqual(
    first.media.map((one: { filename: string }) => one.filename.replace(/^.*\./, '')),
    ['gif', 'txt'],
  )
  assert.ok(first.content_html.includes(`src="/api/v1/media/${first.media[0].id}"`), first.content_html)
  assert.equal(second.content, 'Thanks.')
  const { quoted_text } = await get(`/messages/${second.id}/email`)
  assert.match(quoted_text, /> Hello/)
  const files = async () => (await db`select from media where project_id = ${acme.id}`).length
  const before = await files()
  await importJson('mbox', path, '--source', `archive-${archives}`)
  assert.equal(await files(), before)
})

test('a missing file, an invalid address and an invalid name of an import are refused', async () => {
  const words = ['--project', acme.id]
  const missing = await run('mbox', `${folder}/missing.mbox`, ...words)
  assert.deepEqual([missing.status, missing.stderr.split('\n').length], [2, 2])
  const own = await run('mbox', 'any.mbox', '--own', 'nonsense', ...words)
  assert.match(own.stderr, /^--own should be addresses or domains/)
  const source = await run('mbox', 'any.mbox', '--source', 'With spaces', ...words)
  assert.match(source.stderr, /^--source should be up to/)
})
