import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusCases, readCorpusMail, readMail, sanitise } from '../../test/mail/corpus-mails.ts'
import { readForward } from './forward.ts'
import { findWriter, parseAddress } from './sender.ts'

const settings = {
  ownAddresses: ['support@desk.example.com', 'help@desk.example.com', 'billing@desk.example.com'],
  formSenders: ['website@shop.example.com'],
}

test('finds the contact of each corpus email', async () => {
  let checked = 0
  for (const { file, expect } of corpusCases) {
    if (!expect.contact) continue
    const mail = await readCorpusMail(file, [])
    const forwarded = expect.threading.reason === 'forwarded' ? readForward(mail) : null
    const { contact, answerTo } = forwarded
      ? { contact: forwarded.sender, answerTo: [] }
      : findWriter(mail, settings)
    assert.equal(contact?.address.toLowerCase(), expect.contact.email, file)
    assert.equal(contact?.name?.toLowerCase() ?? null, expect.contact.name?.toLowerCase() ?? null, file)
    if (expect.answer_to)
      assert.deepEqual(
        answerTo.map(one => one.address),
        expect.answer_to,
        file,
      )
    if (forwarded) assert.equal(forwarded.text.split('\n')[0], expect.first_line, file)
    checked++
  }
  assert.ok(checked > 55)
})

const form = 'From: Website <website@shop.example.com>\n'
const group = 'From: "\'Ann Berger\' via Support" <support@desk.example.com>\n'

const writers: Record<string, [headers: string, contact: string, answerTo: string]> = {
  'a form with Reply-To': [
    `${form}Reply-To: Eve <eve@example.net>\n`,
    'Eve <eve@example.net>',
    'eve@example.net',
  ],
  'a form with two addresses in Reply-To': [
    `${form}Reply-To: eve@example.net, bob@example.net\n`,
    'Website <website@shop.example.com>',
    'eve@example.net bob@example.net',
  ],
  'a form without Reply-To': [form, 'Website <website@shop.example.com>', 'website@shop.example.com'],
  'a form whose Reply-To is our own address': [
    `${form}Reply-To: support@desk.example.com\n`,
    'Website <website@shop.example.com>',
    'website@shop.example.com',
  ],
  'a group that rewrote From': [
    `${group}X-Original-From: Ann Berger <ann@example.com>\nReply-To: list@example.com\n`,
    'Ann Berger <ann@example.com>',
    'ann@example.com',
  ],
  'a group that gives only the address': [
    `${group}X-Original-Sender: ann@example.com\nReply-To: Ann Berger <ann@example.com>\n`,
    'Ann Berger <ann@example.com>',
    'ann@example.com',
  ],
  'a person whose replies go to two others': [
    'From: Ann <ann@example.com>\nReply-To: a@example.com, b@example.com, support@desk.example.com\n',
    'Ann <ann@example.com>',
    'a@example.com b@example.com',
  ],
  'a person who claims to write for someone else': [
    'From: Eve <eve@example.net>\nX-Original-From: Ann <ann@example.com>\n',
    'Eve <eve@example.net>',
    'eve@example.net',
  ],
  'a person whose name is an address': [
    'From: "ann@example.com" <eve@example.net>\n',
    'null <eve@example.net>',
    'eve@example.net',
  ],
}

for (const [who, [headers, contact, answerTo]] of Object.entries(writers)) {
  test(`finds the contact: ${who}`, async () => {
    const found = findWriter(await readMail(`${headers}To: support@desk.example.com\n\nHi`), settings)
    assert.equal(`${found.contact?.name ?? null} <${found.contact?.address}>`, contact)
    assert.equal(found.answerTo.map(({ address }) => address).join(' '), answerTo)
  })
}

test('an email without From has no contact', async () => {
  const mail = await readMail('To: support@desk.example.com\n\nHi')
  assert.deepEqual(findWriter(mail, settings), { contact: null, answerTo: [], isSentByOther: false })
})

test('parses addresses in the formats of common mail programs', () => {
  const given: Record<string, string | null> = {
    'Ann <ann@Example.COM>': 'Ann ann@example.com',
    '"Berger, Ann" <ann@example.com>;': 'Berger, Ann ann@example.com',
    'ann@example.com [mailto:ann@example.com]': null,
    'Ann <mailto:ann@example.com>': 'Ann ann@example.com',
    '\u200fAnn\u200f <\u200fann@example.com\u200f>': 'Ann ann@example.com',
    'ann@example.com': 'null ann@example.com',
    'station A': null,
  }
  for (const [text, expected] of Object.entries(given)) {
    const found = parseAddress(text)
    if (expected) assert.equal(found && `${found.name} ${found.address}`, expected, text)
  }
})

const inner = 'The chair squeaks.\n\nTina'
const forwards: Record<string, [subject: string, text: string]> = {
  'Gmail, Polish': [
    'Fwd: Chair',
    `---------- Forwarded message ---------\nOd: Tina Vogel <tina@example.net>\nDate: pon., 2 lis 2026 o 08:00\nSubject: Chair\nTo: <omar@desk.example.com>\n\n\n${inner}`,
  ],
  'Outlook, German': [
    'WG: Chair',
    `-----Ursprüngliche Nachricht-----\nVon: Tina Vogel <tina@example.net> \nGesendet: Montag, 2. November 2026 08:00\nAn: Omar Haddad <omar@desk.example.com>\nBetreff: Chair\n\n${inner}`,
  ],
  'Outlook, French, without dashes': [
    'TR: Chair',
    `De : Tina Vogel <tina@example.net>\nEnvoyé : lundi 2 novembre 2026 08:00\nÀ : Omar Haddad <omar@desk.example.com>\nObjet : Chair\n\n${inner}`,
  ],
  'Outlook for iOS, Japanese': [
    'Fw: Chair',
    `________________________________\n差出人: Tina Vogel <tina@example.net>\n送信日時: 2026年11月2日 8:00\n宛先: Omar Haddad <omar@desk.example.com>\n件名: Chair\n\n${inner}`,
  ],
  'Apple Mail, English': [
    'Fwd: Chair',
    `> Begin forwarded message:\n> \n> From: Tina Vogel <tina@example.net>\n> Subject: Chair\n> Date: 2 November 2026 at 08:00:00 CET\n> To: omar@desk.example.com\n> \n${inner.replaceAll(/^/gm, '> ')}`,
  ],
  'Apple Mail on a phone, Spanish': [
    'Fwd: Chair',
    `Inicio del mensaje reenviado:\n\n> De: Tina Vogel <tina@example.net>\n> Asunto: Chair\n> Fecha: 2 de noviembre de 2026, 8:00:00 CET\n> Para: omar@desk.example.com\n> \n${inner.replaceAll(/^/gm, '> ')}`,
  ],
  'Thunderbird, Dutch': [
    'Fwd: Chair',
    `-------- Doorgestuurd bericht --------\nOnderwerp: \tChair\nDatum: \tMon, 2 Nov 2026 08:00:00 +0100\nVan: \tTina Vogel <tina@example.net>\nAan: \tomar@desk.example.com\n\n${inner}`,
  ],
  'QQ, Chinese': [
    '转发：Chair',
    `------------------ 原始邮件 ------------------\n发件人: "Tina Vogel"<tina@example.net>;\n发送时间: 2026年11月2日(星期一) 下午3:00\n收件人: "Omar"<omar@desk.example.com>;\n主题: Chair\n\n${inner}`,
  ],
}

const mailOf = async (subject: string, body: string, type = 'text/plain') =>
  readMail(
    `From: Omar <omar@desk.example.com>\nTo: support@desk.example.com\nSubject: ${subject}\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
  )

for (const [program, [subject, text]] of Object.entries(forwards)) {
  test(`finds the forwarded email: ${program}`, async () => {
    const found = readForward(await mailOf(subject, `Please take this one:\nit is urgent.\n\n${text}`))
    assert.deepEqual(found, {
      sender: { address: 'tina@example.net', name: 'Tina Vogel' },
      subject: 'Chair',
      text: inner,
      html: null,
      note: 'Please take this one:\nit is urgent.',
    })
  })
}

test('keeps the markup of a forwarded HTML email without the lines above it', async () => {
  const html =
    '<div>Urgent.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Tina Vogel</b> &lt;<a href="mailto:tina@example.net">tina@example.net</a>&gt;<br>Date: Mon, Nov 2, 2026 at 8:00 AM<br>Subject: Chair<br>To: &lt;omar@desk.example.com&gt;<br></div><p>The <b>chair</b> squeaks.</p></div>'
  const found = readForward(await mailOf('Fwd: Chair', html, 'text/html'))!
  assert.deepEqual(
    [found.note, found.text, found.sender.name],
    ['Urgent.', 'The chair squeaks.', 'Tina Vogel'],
  )
  assert.equal(found.html, sanitise('<div class="gmail_quote"><p>The <b>chair</b> squeaks.</p></div>'))
})

test('an email with lines that look like headers is not a forwarded email', async () => {
  const texts = [
    'From: station A\nTo: station B\nSubject: train 5\n\nHelp.',
    'Name: Ann\nMail: ann@example.com\nPhone: 1\n\nHelp.',
    'Hi',
  ]
  for (const text of texts) assert.equal(readForward(await mailOf('Log', text)), null, text)
})
