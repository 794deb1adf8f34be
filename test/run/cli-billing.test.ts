import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addressOf, createDatabase } from '../database.ts'
import { deskbell, makeFolder } from './program.ts'

/** The command line on a database of this test run. */
async function setUp(context: TestContext) {
  const { target, drop } = await createDatabase()
  context.after(drop)
  const folder = makeFolder(context)
  const settings = { DATA_DIR: folder, DATABASE_URL: addressOf(target), PAYMENT_INSTRUCTIONS: 'IBAN DE02' }
  const ask = (...words: string[]) => deskbell(settings, ...words)
  const cli = async (...words: string[]) => {
    const { status, stdout, stderr } = await ask(...words, '--json')
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }
  await cli('plan', 'set', 'free', '--name', 'Free', '--entry', 'yes', '--knowledge', 'no')
  const team = ['--price', '29.00', '--currency', 'EUR', '--seats', '1', '--rank', '1', '--for-sale', 'yes']
  await cli('plan', 'set', 'team', '--name', 'Team', ...team)
  const { id } = await cli('project', 'create', '--name', 'Acme')
  return { folder, ask, cli, id }
}

test('tops up a project, buys and renews a plan, and prints the ledger and an invoice', async context => {
  const { folder, ask, cli, id } = await setUp(context)
  const { order_id, instructions, amount } = await cli('billing', 'top-up', id, '--amount', '100')
  assert.deepEqual([instructions.endsWith('to: IBAN DE02'), amount], [true, 100])
  const confirmed = await cli('billing', 'confirm', order_id, '--transaction', 'bank-7')
  assert.deepEqual(
    [confirmed.status, confirmed.transaction_id, confirmed.is_news],
    ['received', 'bank-7', true],
  )
  assert.equal((await cli('billing', 'confirm', order_id)).is_news, false)
  assert.equal((await cli('billing', 'next', id, 'team')).plan, 'team')
  assert.equal((await cli('billing', 'renew', id)).new_balance, 42)
  assert.deepEqual(await cli('billing', 'auto-renew', id, 'off'), { id, auto_renew: false })
  await cli('billing', 'credit', id, '--amount', '1.50', '--note', 'sorry')
  await cli('billing', 'correct', id, '--amount', '-0.25', '--note', '=typo, mine')
  await cli('billing', 'refund', order_id, '--amount', '10')
  const { plan, balance, currency, auto_renew, payments } = await cli('billing', 'show', id)
  assert.deepEqual([plan, balance, currency, auto_renew, payments.length], ['team', 33.25, 'EUR', false, 1])
  const csv = (await ask('billing', 'ledger', id, '--csv')).stdout.split('\r\n')
  assert.equal(csv[0], 'seq,created_at,amount,balance_after,cause,reference,note,by')
  assert.match(csv[5]!, /^5,[^,]+,-0\.25,43\.25,correction,,"'=typo, mine",command line$/)
  const out = join(folder, 'invoice.pdf')
  assert.deepEqual(await cli('billing', 'receipt', id, '2', '--out', out), {
    number: 1,
    title: 'Invoice',
    out,
  })
  assert.equal(readFileSync(out).subarray(0, 5).toString(), '%PDF-')
})

test('rejects an impossible billing command with one line and status 2, and books nothing', async context => {
  const { cli, ask, id } = await setUp(context)
  const { order_id } = await cli('billing', 'top-up', id, '--amount', '5')
  const topUp = ['billing', 'top-up', id, '--amount']
  const mistakes: [string[], RegExp][] = [
    [[...topUp, '0'], /more than 0/],
    [[...topUp, '-5'], /more than 0/],
    [[...topUp, '5.001'], /2 decimals/],
    [[...topUp, '5,00'], /number such as/],
    [[...topUp, '5', '--currency', 'USD'], /in EUR, not USD/],
    [[...topUp, '5', '--gateway', 'stripe'], /Use one of: offline/],
    [['billing', 'confirm', 'D-NOTHING'], /does not exist/],
    [['billing', 'refund', order_id], /is pending/],
    [['billing', 'next', id, 'gold'], /does not exist/],
    [['billing', 'next', id, 'unlimited'], /not for sale\. Plans for sale: free, team/],
    [['billing', 'next', id, 'team'], /29\.00 EUR short/],
    [['billing', 'renew', id], /nothing to renew/],
    [['billing', 'auto-renew', id, 'perhaps'], /must be on or off/],
    [['billing', 'receipt', id, '1', '--out', 'x.pdf'], /has no entry 1/],
    [['billing', 'show', 'nobody'], /does not exist/],
    [
      ['plan', 'set', 'gold', '--tickets', '6'],
      /Plan "gold" does not exist. To create it, add a name: --name NAME/,
    ],
    [['plan', 'set', 'team', '--name', ' '], /--name must not be empty/],
  ]
  for (const [words, expected] of mistakes) {
    const { status, stdout, stderr } = await ask(...words)
    assert.deepEqual([status, stdout], [2, ''], stderr)
    assert.match(stderr, expected)
    assert.match(stderr, /^[^\n]+\n$/)
  }
  assert.deepEqual(await cli('billing', 'ledger', id), { items: [] })
})

test('shows the reason of a suspension in the list of projects and in doctor', async context => {
  const { cli, ask, id } = await setUp(context)
  const { reason } = await cli('project', 'suspend', id, '--reason', 'sends spam')
  assert.equal(reason, 'sends spam')
  assert.equal((await cli('project', 'list')).items[0].suspended_reason, 'sends spam')
  assert.match((await ask('doctor')).stdout, /suspended: Acme \(sends spam\)/)
  await cli('project', 'resume', id)
  assert.equal((await cli('project', 'list')).items[0].suspended_reason, null)
})

test('allows as many operators as the plan has seats', async context => {
  const { cli, ask, id } = await setUp(context)
  await cli('project', 'plan', id, 'team')
  const create = ['operator', 'create', '--project', id, '--name', 'Omar', '--email']
  await cli(...create, 'omar@example.com')
  const { status, stderr } = await ask(...create, 'second@example.com')
  assert.deepEqual([status, stderr], [2, 'The plan has room for 1 operator; choose a larger one\n'])
  await cli('project', 'plan', id, 'free')
  await cli(...create, 'second@example.com')
})
