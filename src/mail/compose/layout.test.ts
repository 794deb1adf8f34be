import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOutgoing } from '../../../test/mail/outgoing.ts'
import { readHtmlLines } from '../quote-html.ts'
import type { OutgoingEmail } from './outgoing-email.ts'
import { limitHistory } from './quoted-history.ts'
import { writeMailHtml } from './write-html.ts'
import { writeMailText } from './write-text.ts'

const ann = {
  author: 'Ann Berger',
  at: new Date('2026-11-03T09:05:00Z'),
  language: 'en',
  text: 'My lamp is broken.\n\n> older',
  html: null,
}
const signature = { text: 'Omar Haddad\nAcme', html: null }

const textOf = (fields: Partial<OutgoingEmail>): string => writeMailText(makeOutgoing(fields))
const htmlOf = (fields: Partial<OutgoingEmail>): string => writeMailHtml(makeOutgoing(fields))

test('the text has the message, links, signature and history, in this order', () => {
  const link = {
    name: 'film.mov',
    size: 31_000_000,
    url: 'https://acme.example/f/1',
    expiresAt: new Date('2026-12-03T00:00:00Z'),
  }
  assert.equal(
    textOf({ content: { text: 'Hello', html: null }, links: [link], signature, history: [ann] }),
    [
      'Hello',
      'film.mov (31 MB, until December 3, 2026)\nhttps://acme.example/f/1',
      '-- \nOmar Haddad\nAcme',
      'On November 3, 2026 at 09:05 UTC, Ann Berger wrote:\n> My lamp is broken.\n>\n>> older\n',
    ].join('\n\n'),
  )
})

test('the HTML has the same parts, with a quote that mail programs recognise', () => {
  const html = htmlOf({ signature, history: [ann], color: '#00aa55' })
  const lines = readHtmlLines(html.slice(html.indexOf('<body'))).lines
  const texts = lines
    .map(({ text, depth }) => `${'>'.repeat(depth)}${text.trim()}`)
    .filter(line => /\w/.test(line))
  assert.deepEqual(texts, [
    'Hello Ann,',
    'Which colour do you want?',
    'Omar Haddad',
    'Acme',
    'On November 3, 2026 at 09:05 UTC, Ann Berger wrote:',
    '>My lamp is broken.',
    '>> older',
  ])
  assert.match(html, /<blockquote type="cite"/)
  assert.match(html, /border-top:2px solid #00aa55/)
})

test('an email without signature, links and history has only its message', () => {
  assert.equal(textOf({}), 'Hello Ann,\n\nWhich colour do you want?\n')
  assert.doesNotMatch(htmlOf({ signature: { text: ' ', html: null } }), /blockquote|border-top/)
})

test('each paragraph has the direction of its text', () => {
  const html = htmlOf({ content: { text: 'x', html: '<p>שלום</p><p dir="ltr">Hi</p><ul><li>x</li></ul>' } })
  assert.ok(
    html.includes('<p dir="auto">שלום</p><p dir="ltr">Hi</p><ul dir="auto"><li dir="auto">x</li></ul>'),
  )
})

test('URLs in plain text are links, without the punctuation after them', () => {
  const text =
    'See https://acme.example/a?b=1&c="d" (or http://acme.example/x). No: https://... javascript://x'
  const html = htmlOf({ content: { text, html: null } })
  assert.deepEqual(html.match(/href="[^"]*"/g), [
    'href="https://acme.example/a?b=1&amp;c="',
    'href="http://acme.example/x"',
  ])
})

test('text is escaped in the HTML, names and file names too', () => {
  const evil = '<script>alert(1)</script>"\'&'
  const html = htmlOf({
    content: { text: evil, html: null },
    signature: { text: evil, html: null },
    history: [{ ...ann, author: evil, text: evil }],
    links: [{ name: evil, size: 1, url: `https://acme.example/?${evil}`, expiresAt: new Date(0) }],
    color: null,
  })
  assert.doesNotMatch(html, /<script/)
  assert.equal(html.match(/&lt;script&gt;/g)?.length, 6)
})

test('the line above a quote is in the language of the quoted message, in English if that has no texts', () => {
  const attribution = (language: string): string =>
    textOf({ history: [{ ...ann, language }] })
      .split('\n')
      .find(line => line.includes('Ann Berger'))!
  assert.equal(attribution('de-AT'), 'Am 3. November 2026 um 09:05 UTC schrieb Ann Berger:')
  assert.match(attribution('he'), /^בתאריך 3 בנובמבר 2026/)
  assert.match(attribution('xx'), /^On November 3/)
  assert.match(htmlOf({ history: [{ ...ann, language: 'ar' }] }), /class="gmail_attr" lang="ar" dir="rtl"/)
})

test('a name with line breaks stays on the line above the quote', () => {
  const text = textOf({ history: [{ ...ann, author: 'Ann\r\n\r\nHello', text: 'x' }] })
  assert.match(text, /UTC, Ann Hello wrote:\n> x\n$/)
})

test('only the newest messages are quoted if all would be too long', () => {
  const long = { ...ann, text: 'x'.repeat(20_000) }
  assert.equal(limitHistory([long, long, long, ann]).length, 2)
  const [one, ...others] = limitHistory([
    { ...ann, html: 'word '.repeat(100_000), text: 'word '.repeat(90_000) },
    ann,
  ])
  assert.deepEqual([others.length, one!.html], [0, null])
  assert.ok(one!.text.length < 50_000 && one!.text.endsWith('word …'))
})
