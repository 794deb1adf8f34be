import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, parseColor, white } from './color.ts'
import { renderMail } from './mail-layout.ts'

const letter = {
  from: 'Velo',
  title: 'Hello',
  paragraphs: [],
  action: { label: 'Open', url: 'https://desk.example.com' },
  small: '',
}

const buttonOf = (color: string | null): string =>
  /<a [^>]*background:(#[0-9a-f]{6});color:#fff/.exec(renderMail({ ...letter, color }).html)![1]!

test("a mail uses the project's color, darkened on the button so that white text is readable", () => {
  assert.equal(buttonOf('#0b6e4f'), '#0b6e4f')
  assert.match(renderMail({ ...letter, color: '#ffcc00' }).html, /border-top:4px solid #ffcc00/)
  for (const color of ['#ffcc00', '#ffffff', null]) {
    assert.ok(contrast(parseColor(buttonOf(color)), white) >= 4.5, `${color}`)
  }
})
