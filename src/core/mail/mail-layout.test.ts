import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, parseColor, white } from '../text/color.ts'
import { renderMail } from './mail-layout.ts'

const texts = { title: 'Hello', paragraphs: [], action: 'Open', small: '' }
const letter = {
  language: { locale: 'en', direction: 'ltr' as const },
  from: 'Velo',
  values: {},
  url: 'https://desk.example.com',
}
const htmlOf = (change: object): string => renderMail(texts, { ...letter, ...change }).html

const buttonOf = (color: string | null): string =>
  /<a [^>]*background:(#[0-9a-f]{6});color:#fff/.exec(htmlOf({ color }))![1]!

test("a mail uses the project's color, darkened on the button so that white text is readable", () => {
  assert.equal(buttonOf('#0b6e4f'), '#0b6e4f')
  assert.match(htmlOf({ color: '#ffcc00' }), /border-top:4px solid #ffcc00/)
  for (const color of ['#ffcc00', '#ffffff', null]) {
    assert.ok(contrast(parseColor(buttonOf(color)), white) >= 4.5, `${color}`)
  }
})

test('a mail names its language and direction, and fills values into its texts once', () => {
  const language = { locale: 'ar', direction: 'rtl' as const }
  assert.match(htmlOf({ language }), /<html lang="ar" dir="rtl">/)
  const { subject, text, html } = renderMail(
    { ...texts, title: 'Join {project}', paragraphs: ['{inviter} invited you.'] },
    { ...letter, values: { project: '{inviter} <b>', inviter: 'Olga' } },
  )
  assert.equal(subject, 'Join {inviter} <b>')
  assert.match(text, /^Join \{inviter\} <b>\n\nOlga invited you\.\n/)
  assert.ok(html.includes('Join {inviter} &lt;b&gt;'))
})
