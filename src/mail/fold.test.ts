import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMailReader } from './read.ts'

/** Quotes are folded in a worker, so that no email blocks the process. */

const reader = makeMailReader()
after(() => reader.close())
const { signal } = new AbortController()

const earlier = {
  texts: Array.from({ length: 40 }, (_, at) => `Lamp ${at} lorem ipsum dolor. `.repeat(600)),
  addresses: ['ann@example.com'],
  names: ['Ann'],
  dates: ['2026-01-01T10:00:00Z'],
}

test('a reply with 250 KB of quote marks blocks the process for less than 50 ms', async () => {
  const text = Array.from({ length: 8_000 }, (_, at) => `> line ${at} of a hostile quote`).join('\n')
  const html = `${'<blockquote>'.repeat(500)}${'<p>line of a hostile quote</p>'.repeat(8_000)}`
  const hostile = { text: text.slice(0, 262_000), html: html.slice(0, 262_000) }
  await reader.fold({ text: 'Hi', html: null }, earlier, signal)
  const times: number[] = []
  // Several times, because garbage of other work may be collected in between.
  for (let round = 0; round < 4; round++) {
    const before = process.threadCpuUsage()
    const folded = await reader.fold(hostile, earlier, signal)
    const { user, system } = process.threadCpuUsage(before)
    times.push((user + system) / 1_000)
    assert.ok(folded.visibleText.length + folded.quotedText.length >= hostile.text.trim().length - 2)
  }
  assert.ok(Math.min(...times) < 50, `${times} ms of processor time`)
})

test('a worker folds the quote of a reply', async () => {
  const said = 'The lamp on the table does not light up any more.'
  const text = `Thank you.\n\n> ${said}`
  const folded = await reader.fold({ text, html: null }, { ...earlier, texts: [said] }, signal)
  assert.deepEqual(folded, {
    visibleText: 'Thank you.',
    quotedText: `> ${said}`,
    visibleHtml: null,
    quotedHtml: null,
  })
})
