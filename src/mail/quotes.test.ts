import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusCases, readCorpusMail, sanitise } from '../../test/mail/corpus-mails.ts'
import { answersInHtml } from '../../test/mail/quoting-html.ts'
import { answersInText, ours } from '../../test/mail/quoting-texts.ts'
import { textOf } from '../core/text/markdown.ts'
import { type Earlier, foldQuotes } from './quotes.ts'

const earlier: Earlier = {
  texts: [
    'Hello Ann,\n\nWe can send a new lamp tomorrow.\n\nWhich colour do you want?\nAnd where shall it go?\n\nThank you\nAcme\n',
    ours.text,
    'Hello,\n\nthe glass of lamp 4711 is in pieces. Can you send another?\n\nAnn\n',
  ],
  addresses: ['support@desk.example.com', 'help@desk.example.com', 'ann.berger@example.com'],
  names: ['Acme Support', 'Omar Haddad', 'Ann Berger'],
  dates: ['2026-11-03T08:00:00.000000Z', '2026-11-02T08:00:00.000000Z'],
}

const flat = (text: string): string => text.replaceAll(/[\s\u00a0]+/g, ' ').trim()
const shown = (html: string): string =>
  textOf(html.replaceAll(/<(?!\/?(?:b|i|a|span|font)\b)[^<>]*>/g, tag => `\n${tag}`))

test('folds the quotes in the corpus emails without losing text', async () => {
  const threaded = corpusCases.filter(
    ({ expect }) => expect.threading.target === 'T1' && expect.first_line !== undefined,
  )
  assert.ok(threaded.length > 15)
  for (const { file, expect } of threaded) {
    const mail = await readCorpusMail(file, [])
    const folded = foldQuotes(mail, earlier)
    const [visible, quoted] =
      mail.html === null
        ? [folded.visibleText, folded.quotedText]
        : [shown(folded.visibleHtml!), shown(folded.quotedHtml ?? '')]
    const first = visible.split('\n').map(flat).find(Boolean)
    if (expect.first_line) assert.equal(first, flat(expect.first_line), file)
    for (const text of expect.visible_contains)
      assert.ok(flat(visible).includes(flat(text)), `${file}: ${text}`)
    for (const text of expect.visible_not)
      assert.ok(!flat(visible).includes(flat(text)), `${file}: ${text} is shown`)
    for (const text of expect.folded_contains ?? [])
      assert.ok(flat(quoted).includes(flat(text)), `${file}: ${text} is lost`)
  }
})

const words = (text: string): string[] => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort()

function checkFolded(program: string, own: string, whole: string, visible: string, quoted: string): void {
  assert.deepEqual(words(`${visible} ${quoted}`), words(whole), `${program}: words are lost or repeated`)
  assert.equal(visible.trim().split('\n')[0]!.trim(), own, program)
  assert.ok(!visible.includes('Acme') && !visible.includes('lamp tomorrow'), `${program}: ${visible}`)
  assert.ok(!quoted.includes(own), program)
}

for (const { program, own, text } of answersInText) {
  test(`folds a plain text quote: ${program}`, () => {
    const { visibleText, quotedText } = foldQuotes({ text, html: null }, earlier)
    checkFolded(program, own, text, visibleText, quotedText)
  })
}

const withoutMarks = (html: string): string => html.replaceAll(/ (?:class|id|type|dir|name)="[^"]*"/g, '')

for (const { program, own, html } of answersInHtml) {
  for (const [how, mail] of Object.entries({
    marks: sanitise(html),
    'no marks': withoutMarks(sanitise(html)),
  })) {
    test(`folds an HTML quote with ${how}: ${program}`, () => {
      const { visibleHtml, quotedHtml } = foldQuotes({ text: '', html: mail }, earlier)
      assert.ok(quotedHtml, 'nothing is folded')
      for (const part of [visibleHtml!, quotedHtml]) assert.equal(part, sanitise(part), 'a tag is not closed')
      checkFolded(program, own, shown(mail), shown(visibleHtml!), shown(quotedHtml))
    })
  }
}
