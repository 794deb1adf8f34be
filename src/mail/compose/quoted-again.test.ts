import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sanitise } from '../../../test/mail/corpus-mails.ts'
import { composeAndRead } from '../../../test/mail/outgoing.ts'
import { listAnswersInHtml } from '../../../test/mail/quoting-html.ts'
import { listAnswersInText, ours } from '../../../test/mail/quoting-texts.ts'
import { textOf } from '../../core/text/markdown.ts'
import type { Mail } from '../mail.ts'
import { type Earlier, foldQuotes } from '../quotes.ts'
import type { OutgoingEmail } from './outgoing-email.ts'

/** Our emails, with all of their parts, are folded when they come back in a reply. */

const history = [
  {
    ...{ author: 'Ann Berger', at: new Date('2026-11-02T08:00:00Z'), language: 'en' },
    text: 'Hello,\n\nthe glass of lamp 4711 is in pieces. Can you send another?\n\nAnn',
    html: null,
  },
  {
    ...{ author: 'Acme Support', at: new Date('2026-11-01T08:00:00Z'), language: 'en' },
    text: 'Thank you for your order of last week.\n\nThe lamp was sent today.',
    html: null,
  },
]
const signature = { text: 'Omar Haddad\nAcme Lamps · +49 30 000000', html: null }

const earlier: Earlier = {
  texts: [ours.text, ...history.map(message => message.text), signature.text],
  addresses: ['support@desk.example.com', 'ann.berger@example.com'],
  names: ['Acme Support', 'Omar Haddad', 'Ann Berger'],
  dates: ['2026-11-03T08:00:00.000000Z', '2026-11-02T08:00:00Z', '2026-11-01T08:00:00Z'],
}

const emails: Record<string, Partial<OutgoingEmail>> = {
  'a message': {},
  'a message with a signature': { signature },
  'a message with the last message': { history: history.slice(0, 1) },
  'a message with a signature and all messages': { signature, history },
  'a message in Hebrew with a signature and all messages': {
    ...{ signature, language: 'he', history: history.map(message => ({ ...message, language: 'he' })) },
  },
}

const words = (text: string): string[] => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort()
const shown = (html: string): string =>
  textOf(html.replaceAll(/<(?!\/?(?:b|i|a|span|font)\b)[^<>]*>/g, tag => `\n${tag}`))

function check(program: string, own: string, whole: string, visible: string, quoted: string): void {
  assert.deepEqual(words(`${visible} ${quoted}`), words(whole), `${program}: words are lost or repeated`)
  assert.equal(visible.trim().split('\n')[0]!.trim(), own, program)
  for (const part of ['Acme', 'lamp tomorrow', 'Haddad', 'pieces', 'last week'])
    assert.ok(!visible.includes(part), `${program} shows ${part}: ${visible}`)
  assert.ok(!quoted.includes(own), program)
}

const compose = (fields: Partial<OutgoingEmail>): Promise<Mail> =>
  composeAndRead({
    from: { name: 'Acme Support', address: 'support@desk.example.com' },
    content: { text: ours.text, html: ours.html },
    ...fields,
  })

const withoutMarks = (html: string): string => html.replaceAll(/ (?:class|id|type|dir|name)="[^"]*"/g, '')

for (const [what, fields] of Object.entries(emails)) {
  test(`mail programs' quotes of ${what} are folded: text`, async () => {
    for (const { program, own, text } of listAnswersInText((await compose(fields)).text)) {
      const { visibleText, quotedText } = foldQuotes({ text, html: null }, earlier)
      check(program, own, text, visibleText, quotedText)
    }
  })

  test(`mail programs' quotes of ${what} are folded: HTML`, async () => {
    for (const { program, own, html } of listAnswersInHtml((await compose(fields)).html!)) {
      for (const mail of [sanitise(html), withoutMarks(sanitise(html))]) {
        const { visibleHtml, quotedHtml } = foldQuotes({ text: '', html: mail }, earlier)
        assert.ok(quotedHtml, `${program}: nothing is folded`)
        check(program, own, shown(mail), shown(visibleHtml!), shown(quotedHtml))
      }
    }
  })
}
