import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asian } from '../../test/questions/asian.ts'
import { eastern } from '../../test/questions/eastern.ts'
import { gatherWords } from '../../test/questions/gather.ts'
import { germanic } from '../../test/questions/germanic.ts'
import { romance } from '../../test/questions/romance.ts'
import type { Group, Question } from '../../test/questions/shape.ts'
import { startServer } from '../../test/server.ts'

/** Search texts in many languages. Each must find its expected tickets among those in all languages, and no others. */

const groups: Group[] = [...germanic, ...romance, ...eastern, ...asian]
const server = await startServer({ delivers: false })
const { api, outsider } = server
/** Keys of tickets, by their ids. */
const keys = new Map<string, string>()

async function write({ language, written }: Group, caller: typeof api): Promise<void> {
  for (const { key, text } of written) {
    const contact = { email: `${key}@example.org`, language }
    const { body, status } = await caller.post('/tickets', { contact, subject: '-', content: text })
    assert.equal(status, 201, key)
    if (caller === api) keys.set(body.id, key)
  }
}

before(async () => {
  for (const one of groups) {
    await write(one, api)
    await write(one, outsider)
  }
  await gatherWords(server, server.acme.id)
  await gatherWords(server, server.rival.id)
})
after(() => server.close())

/** Describes how the found tickets differ from the expected ones; null if they do not. */
async function ask(language: string, { q, finds, because }: Question): Promise<string | null> {
  const { body, status } = await api.get(`/tickets?q=${encodeURIComponent(q)}&page_size=100&count=false`)
  const found =
    status === 200 ? body.items.map(({ id }: { id: string }) => keys.get(id) ?? 'of Rival') : [status]
  const [is, should] = [found.toSorted().join(' '), finds.toSorted().join(' ')]
  return is === should ? null : `${language} ${q} (${because}): found “${is}”, should “${should}”`
}

test('there are at least 200 search texts in at least 20 languages', () => {
  assert.ok(groups.flatMap(({ questions }) => questions).length >= 200)
  assert.ok(new Set(groups.map(({ language }) => language)).size >= 20)
})

test('each search finds exactly the expected tickets', async () => {
  const wrong: string[] = []
  for (const { language, questions } of groups)
    for (const question of questions) {
      const said = await ask(language, question)
      if (said) wrong.push(said)
    }
  assert.deepEqual(wrong, [])
})
