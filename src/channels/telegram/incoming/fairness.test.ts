import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { addOwnBot, openBot } from '../../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { until } from '../../../../test/until.ts'

/** A project with several bots does not delay other projects. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test("a project whose bots have many slow chats takes at most half of a process's slots, and other projects are not delayed", async t => {
  const { standIn, bot, handling } = await openBot(t, server)
  const second = standIn.addBot()
  await addOwnBot(server, standIn, second)
  let downloads = 0
  standIn.world.findFault = ({ method }) => {
    if (method !== 'download') return undefined
    downloads++
    return { delayMs: 120_000 }
  }
  const upload = { name: 'slow.txt', type: 'text/plain', content: Buffer.from('a') }
  for (const one of [bot, second])
    for (let at = 0; at < 9; at++)
      await new Participant(standIn.world, one, makePerson()).file('document', upload)
  await until(() => downloads >= 8)
  const other = standIn.addBot()
  await addOwnBot(server, standIn, other, {}, server.rival)
  new Participant(standIn.world, other, makePerson()).say('Hello')
  await until(async () => {
    const rows =
      await server.db`select from messages where project_id = ${server.rival.id} and content = 'Hello'`
    return rows.length > 0
  })
  assert.equal(downloads, 8)
  await handling.stop()
})
