import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { after, before, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import { openFileContext } from '../../../../test/file-context.ts'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { postEmail, sendMails, sendThrough, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { startNameServer } from '../../../../test/name-server.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'
import { runProbes } from '../probes/send-probe.ts'
import { checkDkim, recheckDkimKeys } from './dkim-keys.ts'

/** Deskbell signs the emails of a domain with its own key, once the key's DNS record is published. */

const context = openFileContext()
const records: Record<string, string> = {}
let receiving: Receiving
let dns: Resolver
let olga: Person
let rita: Person
before(async () => {
  const { servers } = await startNameServer(context, name => {
    if (name.endsWith('silent.example')) return 'silent'
    return records[name] === undefined ? undefined : { ips: [], ttl: 1, text: records[name] }
  })
  dns = new Resolver({ timeout: 3_000, tries: 2 })
  dns.setServers(servers)
  receiving = await startReceiving({ protocol: 'smtp', nameServers: servers })
  ;({ olga, rita } = await joinCast(receiving.server))
  sendMails(context, receiving.server)
})
after(() => receiving.close())

async function open(t: { after(run: () => unknown): void }, address: string) {
  const sink = await startSink(t)
  const { id } = await openMailbox(receiving, address)
  await sendThrough(receiving.server, id, sink)
  return { id, sink, path: `/mailboxes/${id}/dkim` }
}
type Opened = Awaited<ReturnType<typeof open>>

const check = ({ id }: Opened) => checkDkim(receiving.server.db, receiving.server.acme.id, id, dns)
const make = async ({ path }: Opened) => (await olga.api.post(path)).body.keys

/** Sends a reply, and returns the results of verifying its signatures. */
async function send({ id, sink }: Opened): Promise<string[]> {
  await waitForDelivery(receiving.server, await postEmail(receiving.server, { id }))
  const resolver = (name: string, type: string) => dns.resolve(name, type)
  const { results } = await dkimVerify(sink.mails.at(-1)!.raw, { resolver } as never)
  return results
    .filter(({ status }) => status.result !== 'none')
    .map(({ status, signingDomain, selector }) => `${status.result} ${signingDomain} ${selector}`)
}

test("emails are signed only after the key's DNS record is published", async t => {
  const mailbox = await open(t, 'support@signing.example')
  const [key] = await make(mailbox)
  assert.match(key.name, /^deskbell-[0-9a-f]{8}\._domainkey\.signing\.example$/)
  assert.match(key.record, /^v=DKIM1; k=rsa; p=MII[\w+/]+=*$/)
  assert.deepEqual([key.status, key.is_signing], ['new', false])
  assert.doesNotMatch(JSON.stringify(key), /PRIVATE/)
  assert.deepEqual(await send(mailbox), [])
  assert.equal((await check(mailbox)).keys[0]!.status, 'missing')
  records[key.name] = 'v=DKIM1; k=rsa; p=MIIBIjANBgkq'
  assert.equal((await check(mailbox)).keys[0]!.status, 'differs')
  assert.deepEqual(await send(mailbox), [])
  records[key.name] = key.record.replace(/(.{250})/, '$1 ')
  assert.partialDeepStrictEqual(await check(mailbox), { is_checked: true, keys: [{ status: 'published' }] })
  records[key.name] = key.record
  assert.deepEqual(await send(mailbox), [`pass signing.example ${key.selector}`])
  const { items } = (await olga.api.get('/audit')).body
  const made = items.find(({ action }: { action: string }) => action === 'mailbox.key_made')
  assert.deepEqual([made.target_id, made.detail], [mailbox.id, { domain: 'signing.example' }])
})

test('a new key replaces the old one as soon as its record is published', async t => {
  const mailbox = await open(t, 'support@rotating.example')
  const [first] = await make(mailbox)
  records[first.name] = first.record
  await check(mailbox)
  const [, second] = await make(mailbox)
  assert.equal((await make(mailbox)).length, 2, 'an unpublished key is not replaced')
  await check(mailbox)
  assert.deepEqual(await send(mailbox), [`pass rotating.example ${first.selector}`])
  records[second.name] = second.record
  const { keys } = await check(mailbox)
  assert.deepEqual(
    keys.map(({ selector, is_signing }) => [selector, is_signing]),
    [[second.selector, true]],
  )
  assert.deepEqual(await send(mailbox), [`pass rotating.example ${second.selector}`])
})

test('emails are no longer signed after the keys are deleted or their record is removed', async t => {
  const mailbox = await open(t, 'support@leaving.example')
  const [key] = await make(mailbox)
  records[key.name] = key.record
  await check(mailbox)
  delete records[key.name]
  await receiving.server
    .db`update dkim_keys set checked_at = now() - interval '2 days' where selector = ${key.selector}`
  await recheckDkimKeys(receiving.server.db, dns)
  assert.deepEqual(await send(mailbox), [])
  records[key.name] = key.record
  assert.equal((await check(mailbox)).keys[0]!.is_signing, true)
  assert.deepEqual((await olga.api.delete(mailbox.path)).body, { domain: 'leaving.example', keys: [] })
  assert.deepEqual(await send(mailbox), [])
})

test('a failed DNS look-up does not change the status of a key', async t => {
  const mailbox = await open(t, 'support@silent.example')
  const [key] = await make(mailbox)
  await receiving.server.db`update dkim_keys set status = 'published' where selector = ${key.selector}`
  assert.partialDeepStrictEqual(await check(mailbox), { is_checked: false, keys: [{ is_signing: true }] })
})

test('keys belong to one project, and are deleted with its last mailbox at their domain', async t => {
  const mailbox = await open(t, 'support@shared.example')
  const second = await open(t, 'sales@shared.example')
  const [key] = await make(mailbox)
  records[key.name] = key.record
  await check(second)
  assert.deepEqual(await send(second), [`pass shared.example ${key.selector}`])
  for (const method of ['GET', 'POST', 'DELETE'])
    assert.equal((await rita.api.request(method, mailbox.path)).status, 404)
  const { body } = await rita.api.post('/mailboxes', { address: 'help@shared.example', incoming: 'listen' })
  assert.deepEqual((await rita.api.get(`/mailboxes/${body.id}/dkim`)).body.keys, [])
  await olga.api.delete(`/mailboxes/${mailbox.id}`)
  assert.equal((await olga.api.get(second.path)).body.keys.length, 1)
  await olga.api.delete(`/mailboxes/${second.id}`)
  const left = await receiving.server.db`select from dkim_keys where domain = 'shared.example'`
  assert.equal(left.length, 0)
})

test('the test email shows the results of SPF, DKIM and DMARC that this server has found', async t => {
  const mailbox = await open(t, 'support@proved.example')
  await sendThrough(receiving.server, mailbox.id, { port: receiving.port })
  const [key] = await make(mailbox)
  records[key.name] = key.record
  records['proved.example'] = 'v=spf1 ip4:127.0.0.1 -all'
  records['_dmarc.proved.example'] = 'v=DMARC1; p=reject'
  await check(mailbox)
  await runProbes(receiving.server)
  await olga.api.post(`/mailboxes/${mailbox.id}/probe`)
  const probe = await until(async () => {
    const { body } = await olga.api.get(`/mailboxes/${mailbox.id}/probe`)
    return body.probe.state === 'ended' && body.probe
  })
  assert.equal(probe.plus, 'works')
  assert.deepEqual(probe.authentication, {
    ...{ server: null, spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
  })
})
