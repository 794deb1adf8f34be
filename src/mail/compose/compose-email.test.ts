import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose, composeAndRead, headOf } from '../../../test/mail/outgoing.ts'
import type { OutgoingEmail } from './outgoing-email.ts'

test('an email arrives with the sender, recipients, date and IDs that it was given', async () => {
  const { headers, text } = await composeAndRead({
    replyTo: { name: null, address: 'support+r.abc@acme.example' },
    cc: [{ name: null, address: 'bob@example.com' }],
    inReplyTo: 'a2@example.com',
    references: ['a1@example.com'],
    anchor: 't.one@acme.example',
  })
  assert.deepEqual(headers.from, { name: 'Omar (Acme Support)', address: 'support@acme.example' })
  assert.deepEqual(headers.replyTo, [{ name: null, address: 'support+r.abc@acme.example' }])
  assert.deepEqual(headers.to, [{ name: 'Ann Berger', address: 'ann.berger@example.com' }])
  assert.deepEqual(headers.cc, [{ name: null, address: 'bob@example.com' }])
  assert.equal(headers.date, '2026-11-03T08:00:00.000Z')
  assert.equal(headers.messageId, 'm.one@acme.example')
  assert.deepEqual(headers.inReplyTo, ['a2@example.com'])
  assert.deepEqual(headers.references, ['a1@example.com', 't.one@acme.example', 'a2@example.com'])
  assert.equal(headers.subject, 'Re: Lamp 4711')
  assert.deepEqual(headers.all['thread-topic'], ['Lamp 4711'])
  assert.equal(headers.threadIndex?.length, 44)
  assert.equal(text, 'Hello Ann,\n\nWhich colour do you want?')
})

const texts: Record<string, string> = {
  Hebrew: 'שלום אן,\n\nאיזה צבע תרצי? Lamp 4711.',
  Chinese: '您好，\n\n请问您想要什么颜色的灯？'.repeat(30),
  emoji: 'Done 👩🏽‍🚀🎉\n\n🏳️‍🌈 x',
  'a line of 20,000 characters': `Hello ${'x'.repeat(20_000)} end`,
  'lines that begin with a dot, From and >': '.\n..\nFrom here on\n> quoted\n--\n-- \nend',
}

for (const [what, text] of Object.entries(texts)) {
  test(`text and subject arrive unchanged: ${what}`, async () => {
    const subject = text.replaceAll(/\s+/g, ' ').slice(0, 150).toWellFormed().replaceAll('\ufffd', '').trim()
    const raw = await compose({
      content: { text, html: null },
      subject,
      from: { name: subject.slice(0, 20).trim(), address: 'support@acme.example' },
    })
    assert.ok(
      raw
        .toString('latin1')
        .split('\r\n')
        .every(line => line.length <= 998),
      'a line is too long',
    )
    assert.ok(!/[^\r]\n/.test(raw.toString('latin1')), 'a line ends without CR')
    assert.match(raw.toString('latin1'), /^[\0-\x7f]*$/)
    const { headers } = await composeAndRead({ content: { text, html: null }, subject })
    assert.equal(headers.subject, subject)
    const plain = await composeAndRead({ content: { text, html: '<p>x</p>' } })
    assert.ok(raw.length > 0 && plain.html !== null)
    const read = await composeAndRead({ content: { text, html: null } })
    assert.equal(read.text.replaceAll(/\s+/g, ' '), text.replaceAll(/\s+/g, ' '))
  })
}

test('a subject of 5,000 characters without spaces is cut to fit into one header line', async () => {
  const raw = await compose({ subject: 'x'.repeat(5_000), threadTopic: '灯'.repeat(5_000) })
  assert.ok(
    headOf(raw)
      .split('\r\n')
      .every(line => line.length <= 998),
  )
  const { headers } = await composeAndRead({ subject: 'x'.repeat(5_000) })
  assert.equal(headers.subject, 'x'.repeat(900))
})

test('all of 300 recipients are in the header', async () => {
  const to = Array.from({ length: 300 }, (_, at) => ({
    name: at % 2 ? `Пётр, "${at}"` : null,
    address: `person${at}@example.com`,
  }))
  const { headers } = await composeAndRead({ to })
  assert.deepEqual(
    headers.to.map(one => one.address),
    to.map(one => one.address),
  )
})

const hostile = [
  'Ann\r\nBcc: eve@example.org',
  'Ann\nX-Evil: 1\n\nbody',
  'Ann\rX-Evil: 1',
  'Ann\0\u2028X-Evil: 1',
  'Ann <eve@example.org>, Bob',
  '"Ann" <eve@example.org>\\',
  '=?utf-8?q?Ann=0D=0AX-Evil:_1?=',
  'Ann\u202e\u2066 moc.elpmaxe',
  '\ud800 Ann',
]

const listNames = (raw: Buffer): string[] =>
  headOf(raw)
    .split(/\r\n(?![ \t])/)
    .map(line => line.split(':')[0]!)

for (const text of hostile) {
  test(`adds no header and no recipient: ${JSON.stringify(text)}`, async () => {
    const plain = {
      inReplyTo: 'a@example.com',
      references: ['b@example.com'],
      listUnsubscribe: 'https://acme.example',
    }
    const name = { name: text, address: 'ann@example.com' }
    const fields: Partial<OutgoingEmail> = {
      ...{
        ...plain,
        subject: text,
        threadTopic: text,
        to: [name],
        cc: [name],
        replyTo: name,
        threadIndex: text,
      },
      ...{ from: { name: text, address: 'support@acme.example' } },
      ...{ references: [text, 'b@example.com'] },
    }
    const raw = await compose(fields)
    const usual = await compose({ ...plain, cc: [name], replyTo: name })
    assert.deepEqual(listNames(raw).sort(), listNames(usual).sort())
    const { headers } = await composeAndRead(fields)
    for (const list of [headers.to, headers.cc, headers.replyTo, [headers.from!]])
      assert.equal(list.length, 1)
    assert.deepEqual(headers.to[0]!.address, 'ann@example.com')
    assert.deepEqual(headers.from!.address, 'support@acme.example')
    assert.doesNotMatch(headers.subject, /[\r\n\0\u202e]/)
  })
}

test('an address with a line break adds no header and no other recipient', async () => {
  const evil = { name: null, address: 'ann@example.com>\r\nBcc: eve@example.org, <eve@example.org' }
  const raw = await compose({ to: [evil] })
  assert.ok(!/^bcc/im.test(headOf(raw)))
  const { headers } = await composeAndRead({ to: [evil] })
  assert.ok(headers.to.length <= 1)
})

const headerOf = async (name: string, fields: Partial<OutgoingEmail>): Promise<string | undefined> =>
  (await composeAndRead(fields)).headers.all[name]?.[0]

test('only automatic emails say that they are automatic', async () => {
  const names = ['auto-submitted', 'x-auto-response-suppress', 'list-unsubscribe', 'precedence']
  const { headers } = await composeAndRead()
  for (const name of names) assert.equal(headers.all[name], undefined, name)
  const replied: Partial<OutgoingEmail> = { automatic: { kind: 'replied' } }
  assert.equal(await headerOf('auto-submitted', replied), 'auto-replied')
  assert.equal(await headerOf('x-auto-response-suppress', replied), 'All')
  assert.equal(await headerOf('list-unsubscribe', replied), undefined)
  assert.equal(await headerOf('auto-submitted', { automatic: { kind: 'generated' } }), 'auto-generated')
})

test('List-Unsubscribe has the given address, and is left out if that is no URL', async () => {
  const url = 'https://acme.example/unsubscribe?token=abc'
  assert.equal(await headerOf('list-unsubscribe', { listUnsubscribe: url }), `<${url}>`)
  for (const bad of ['https://acme.example/\r\nX-Evil: 1', 'javascript:alert(1)', 'https://acme.example/ä'])
    assert.equal(await headerOf('list-unsubscribe', { listUnsubscribe: bad }), undefined)
})

test('the same email always has the same bytes', async () => {
  assert.deepEqual(await compose(), await compose())
  assert.notDeepEqual(await compose(), await compose({ messageId: 'm.two@acme.example' }))
})
