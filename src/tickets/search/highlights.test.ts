import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket, unique } from '../../../test/cast.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

interface Place {
  field: 'subject' | 'content'
  message_id: string | null
  start: number
  end: number
}

const search = async (q: string) => {
  const { body } = await api.get(`/tickets?q=${encodeURIComponent(q)}`)
  return body.items[0]
}

const textsOf = (text: string, places: Place[], from = 0): string[] =>
  places.map(({ start, end }) => text.slice(start - from, end - from))

test('a search returns the positions of its words, in UTF-16 units of the subject and of the message', async () => {
  const word = `w${unique()}`
  const subject = `😀 about “${word}”`
  const content = `😀 ${'long before '.repeat(40)}the “${word.toUpperCase()}” and\n${word}ing`
  const ticket = await makeTicket(api, { subject, content })
  const [message] = (await api.get(`/tickets/${ticket.id}/messages`)).body.items
  const { highlights, snippet } = await search(word)
  const [inSubject, ...inMessage] = highlights as Place[]
  assert.deepEqual(textsOf(subject, [inSubject!]), [word])
  assert.deepEqual([inSubject!.field, inSubject!.message_id], ['subject', null])
  assert.deepEqual(textsOf(content, inMessage), [word.toUpperCase(), `${word}ing`])
  assert.ok(inMessage.every(place => place.field === 'content' && place.message_id === message.id))
  assert.equal(snippet.message_id, message.id)
  assert.equal(snippet.text, content.slice(snippet.start, snippet.start + snippet.text.length))
  assert.deepEqual(textsOf(snippet.text, inMessage, snippet.start)[0], word.toUpperCase())
})

test('positions in an HTML message refer to its text', async () => {
  const word = `w${unique()}`
  const content = `<p>Dear&nbsp;<b>${word.slice(0, 3)}</b>${word.slice(3)}</p><p>Thanks</p>`
  await makeTicket(api, { subject: 'HTML', content, content_format: 'html' })
  const { highlights, snippet } = await search(word)
  assert.deepEqual(textsOf(snippet.text, highlights, snippet.start), [word])
})

test('a word in the URL of a link is found, but not highlighted', async () => {
  const word = `w${unique()}`
  const content = `<p>See <a href="https://example.com/${word}">this</a></p>`
  const { id } = await makeTicket(api, { subject: 'Link', content, content_format: 'html' })
  const found = await search(word)
  assert.equal(found.id, id)
  assert.deepEqual([found.highlights, found.snippet], [[], null])
})

test('a list without q has no highlights', async () => {
  const ticket = await makeTicket(api)
  const { body } = await api.get('/tickets?page_size=1')
  assert.deepEqual(
    [body.items[0].id, 'highlights' in body.items[0], 'snippet' in body.items[0]],
    [ticket.id, false, false],
  )
})

test('only the adjacent words of a phrase are highlighted', async () => {
  const [one, other] = [`a${unique()}`, `b${unique()}`]
  const content = `${other} ${one}, ${one}-${other}`
  await makeTicket(api, { subject: 'Phrase', content })
  const { highlights } = await search(`${one}-${other}`)
  assert.deepEqual(textsOf(content, highlights), [`${one}-${other}`])
})
