import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addressOf, createDatabase } from '../database.ts'
import { openStandIn } from '../telegram/bots.ts'
import { deskbell, makeFolder } from './program.ts'

/** The commands for Telegram bots, on a shared database. */

async function setUp(context: TestContext) {
  const { target, drop } = await createDatabase()
  context.after(drop)
  const folder = makeFolder(context)
  const settings = { DATA_DIR: folder, DATABASE_URL: addressOf(target) }
  const ask = (...words: string[]) => deskbell(settings, 'telegram', ...words)
  const read = async (...words: string[]) => {
    const { status, stdout, stderr } = await ask(...words, '--json')
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }
  const { stdout } = await deskbell(settings, 'project', 'create', '--name', 'Acme', '--json')
  const standIn = await openStandIn(context)
  const tokenFile = join(folder, 'token.txt')
  const create = ['create', '--project', JSON.parse(stdout).id, '--token-file', tokenFile]
  return { standIn, ask, read, tokenFile, create: [...create, '--api-root', standIn.url], settings }
}

test('a bot is added, listed, tested, paused, resumed and deleted', async t => {
  const { standIn, ask, read, tokenFile, create } = await setUp(t)
  const bot = standIn.addBot()
  writeFileSync(tokenFile, `${bot.token}\n`)
  const made = await read(...create, '--groups', '--receiving', 'polling', '--name', 'Help')
  assert.deepEqual(
    [made.username, made.name, made.takes_groups, made.receives_by, made.state, made.link],
    [bot.user.username, 'Help', true, 'polling', 'active', `https://t.me/${bot.user.username}`],
  )
  const project = create[2]!
  assert.deepEqual(
    (await read('list', '--project', project)).items.map(({ id }: { id: string }) => id),
    [made.id],
  )
  assert.match((await ask('test', made.id)).stdout, /^The token works\./)
  assert.equal((await read('pause', made.id)).state, 'paused')
  assert.equal((await read('resume', made.id)).state, 'active')
  assert.deepEqual(await read('delete', made.id), { id: made.id })
  assert.deepEqual((await read('list', '--project', project)).items, [])
})

test('an unusable token is refused with an error that names the option', async t => {
  const { ask, tokenFile, create } = await setUp(t)
  for (const [token, error] of [
    ['wrong', /^--token-file: Not a token such as/],
    [`1:${'A'.repeat(35)}`, /^--token-file: .*@BotFather/],
  ] as const) {
    writeFileSync(tokenFile, token)
    const { status, stderr } = await ask(...create)
    assert.equal(status, 2)
    assert.match(stderr, error)
  }
  const { status, stderr } = await ask('test', 'nothing')
  assert.deepEqual([status, /bin\/deskbell telegram list/.test(stderr)], [2, true])
})
