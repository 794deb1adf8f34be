import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openMailbox, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'

/** Which emails the sender rules apply to, and what happens to these emails. */

const support = 'support@acme.example'
const form = 'form@shop.example'
const receiving = await startReceiving()
const { server } = receiving
const { api, db, acme } = server
after(() => receiving.close())
await openMailbox(receiving, support, {
  authserv_ids: ['mx.acme.example'],
  form_senders: [form],
  trusts_spam_headers: true,
})
afterEach(() => db`delete from sender_rules where project_id = ${acme.id}`)

const rule = async (pattern: string, verdict: 'allowed' | 'blocked') => {
  const made = await api.post('/sender-rules', { pattern, verdict })
  assert.equal(made.status, 201, made.text)
  return made.body
}

const get = async (path: string) => (await api.get(path)).body

const send = (from: string, headers: string[] = []) => {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const lines = [...headers.map(line => line.replace('FROM', domain)), `From: ${from}`].join('\r\n')
  return receive(
    receiving,
    support,
    makeMail().replace(/^From: .*(?=\r)/m, () => lines),
  )
}

const outcomeOf = async (from: string, headers?: string[]) => (await send(from, headers)).outcome

const dmarc = (result: string) => `Authentication-Results: mx.acme.example; dmarc=${result} header.from=FROM`
const spam = 'X-Spam-Flag: YES'

const isSpam = async (from: string, headers: string[]): Promise<boolean> => {
  const { ticket_id } = await send(from, [spam, ...headers])
  return (await get(`/tickets/${ticket_id}`)).is_spam
}

test('an email from a blocked sender is logged with its source, without a ticket or a contact', async () => {
  await rule('ben@ads.example', 'blocked')
  const mail = await send('Ben@Ads.example')
  assert.partialDeepStrictEqual(mail, { state: 'done', outcome: 'sender_blocked', reason: 'ben@ads.example' })
  assert.partialDeepStrictEqual(await get(`/mail-log/${mail.id}`), { has_raw: true, ticket_id: null })
  assert.equal((await get('/contacts?email=ben@ads.example')).items.length, 0)
  assert.equal(await outcomeOf('other@ads.example'), 'new')
})

test('a reply from a blocked sender does not join its ticket', async () => {
  const question = await send('cleo@mail.example')
  const { header_id } = await get(`/mail-log/${question.id}`)
  await rule('mail.example', 'blocked')
  assert.equal(await outcomeOf('cleo@mail.example', [`In-Reply-To: <${header_id}>`]), 'sender_blocked')
  assert.equal((await get(`/tickets/${question.ticket_id}`)).messages_count, 1)
})

test('a person can make an email from a blocked sender a ticket, or have it handled again after deleting the rule', async () => {
  const { id: ruleId } = await rule('kim@held.example', 'blocked')
  const [first, second] = [await send('kim@held.example'), await send('kim@held.example')]
  const handled = (id: string) =>
    until(async () => {
      const entry = await get(`/mail-log/${id}`)
      return entry.state !== 'stored' && entry
    })
  await api.post(`/mail-log/${first.id}/ticket`)
  assert.equal((await handled(first.id)).outcome, 'new')
  await api.post(`/mail-log/${second.id}/reparse`)
  assert.equal((await handled(second.id)).outcome, 'sender_blocked')
  await api.delete(`/sender-rules/${ruleId}`)
  await api.post(`/mail-log/${second.id}/reparse`)
  assert.equal((await handled(second.id)).outcome, 'new')
})

test('a rule for a domain includes its subdomains, and the most specific rule counts', async () => {
  await rule('corp.example', 'blocked')
  await rule('good.corp.example', 'allowed')
  await rule('bad@good.corp.example', 'blocked')
  assert.equal(await outcomeOf('a@corp.example'), 'sender_blocked')
  assert.equal(await outcomeOf('a@mail.corp.example'), 'sender_blocked')
  assert.equal(await outcomeOf('a@notcorp.example'), 'new')
  assert.equal(await outcomeOf('a@very.good.corp.example'), 'new')
  assert.equal(await outcomeOf('bad@good.corp.example'), 'sender_blocked')
})

test('an international domain is blocked in both of its spellings', async () => {
  await rule('bücher.example', 'blocked')
  assert.equal(await outcomeOf('a@xn--bcher-kva.example'), 'sender_blocked')
  assert.equal(await outcomeOf('a@mail.BÜCHER.example'), 'sender_blocked')
})

test('a sender behind a form is blocked, and so is everything from a blocked form', async () => {
  await rule('eve@ads.example', 'blocked')
  assert.equal(await outcomeOf(form, ['Reply-To: eve@ads.example']), 'sender_blocked')
  assert.equal(await outcomeOf(form, ['Reply-To: fay@ads.example']), 'new')
  await rule('shop.example', 'blocked')
  assert.equal(await outcomeOf(form, ['Reply-To: gus@mail.example']), 'sender_blocked')
})

test('an email from an allowed sender is not spam, whatever the trusted headers say', async () => {
  await rule('partner.example', 'allowed')
  assert.equal(await isSpam('a@partner.example', []), false)
  assert.equal(await isSpam('a@partner.example', [dmarc('pass')]), false)
  assert.equal(await isSpam('a@other.example', [dmarc('pass')]), true)
})

test('a rule that allows a sender does not help someone who forges the sender', async () => {
  await rule('partner.example', 'allowed')
  assert.equal(await isSpam('a@partner.example', [dmarc('fail')]), true)
  // The address of a form is in From, and says nothing about the address in Reply-To.
  assert.equal(await isSpam(form, ['Reply-To: b@partner.example']), true)
  await rule('bank.example', 'blocked')
  await rule('boss@bank.example', 'allowed')
  assert.equal(await outcomeOf('boss@bank.example', [dmarc('pass')]), 'new')
  assert.equal(await outcomeOf('boss@bank.example', [dmarc('fail')]), 'sender_blocked')
})

test('domain rules do not apply to mailboxes and operators of the project', async () => {
  const omar = await joinProject(server, acme, { name: 'Omar' })
  await rule(omar.email.split('@')[1]!, 'blocked')
  await rule('acme.example', 'blocked')
  assert.equal(await outcomeOf(omar.email), 'new')
  assert.equal(await outcomeOf(support), 'loop')
  assert.equal(await outcomeOf(support, ['Reply-To: hal@mail.example']), 'new')
})

test('a rule that allows a sender does not unblock a blocked contact', async () => {
  await rule('ivy@blocked.example', 'allowed')
  const contact = await api.post('/contacts', { email: 'ivy@blocked.example' })
  await api.patch(`/contacts/${contact.body.id}`, { is_blocked: true })
  assert.equal(await outcomeOf('ivy@blocked.example'), 'contact_blocked')
})

test("another project's rules do not apply", async () => {
  await server.outsider.post('/sender-rules', { pattern: 'theirs.example', verdict: 'blocked' })
  assert.equal(await outcomeOf('a@theirs.example'), 'new')
})
