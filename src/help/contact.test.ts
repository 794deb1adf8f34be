import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { makeArticle } from '../../test/knowledge.ts'
import { makeMailbox } from '../../test/mail.ts'
import { startVisit } from '../../test/visitor.ts'
import { switchOn } from '../../test/widget.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

beforeEach(async () => {
  await server.db`delete from widgets`
  await server.db`delete from mailboxes`
})

const read = async (path: string): Promise<string> => (await visitor.get(`/help/acme/en${path}`)).text
const linkIn = (text: string): string | undefined =>
  /<section class="feedback contact".*?<a class="action" href="([^"]*)"/s
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&')

test('an article and a search without results lead to the chat, which learns the article', async () => {
  const { db, acme } = server
  const { id, slug } = await makeArticle(db, acme)
  await switchOn(server, acme)
  const chat = `/chat/${acme.id}?locale=en`
  assert.equal(linkIn(await read(`/articles/${slug}`)), `${chat}&article=${id}`)
  assert.equal(linkIn(await read(`/articles/${slug}?voted=1`)), `${chat}&article=${id}`)
  assert.equal(linkIn(await read('/search?q=nothingofthekind')), chat)
  assert.equal(linkIn(await read('/search?q=')), undefined)
})

test('without a chat they lead to the mailbox that answers visitors, or else to the oldest one', async () => {
  const { db, acme } = server
  const { slug } = await makeArticle(db, acme, { title: 'A bell & more' })
  const path = `/articles/${slug}`
  assert.equal(linkIn(await read(path)), undefined)
  const first = await makeMailbox(server, { imapPort: 9 })
  const second = await makeMailbox(server, { imapPort: 9 }, { user: 'second' })
  const addressOf = async (id: string) =>
    (await db`select address from mailboxes where id = ${id}`)[0]!.address
  const subject = '?subject=A%20bell%20%26%20more'
  assert.equal(linkIn(await read(path)), `mailto:${await addressOf(first.id)}${subject}`)
  await db`insert into reply_mailboxes (project_id, widget_mailbox_id) values (${acme.id}, ${second.id})`
  assert.equal(linkIn(await read(path)), `mailto:${await addressOf(second.id)}${subject}`)
  await db`update mailboxes set state = 'paused'`
  assert.equal(linkIn(await read(path)), undefined)
})
