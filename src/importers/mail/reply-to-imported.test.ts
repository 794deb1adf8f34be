import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startImporting, writeMbox } from '../../../test/importing.ts'
import { receive, startSupport } from '../../../test/mail/receiving.ts'
import { writeMail } from '../../../test/mail/write-mail.ts'

const support = 'support@acme.example'
const { receiving } = await startSupport(support)
const { folder, importJson, get } = await startImporting(receiving.server)

test('an email that answers an imported one is added to its ticket, and emails from the mailbox count as ours', async () => {
  const path = writeMbox(folder, 'mail.mbox', [
    { id: 'first', from: 'Ann <ann@example.com>' },
    { id: 'second', from: `Support <${support}>`, to: 'ann@example.com', answers: 'first' },
  ])
  await importJson('mbox', path, '--status', 'open')
  const { items } = await get('/tickets')
  assert.deepEqual([items.length, items[0].contact.email], [1, 'ann@example.com'])
  const { raw } = writeMail({ from: 'Ann <ann@example.com>', answers: 'second', subject: 'Re: Lamp' })
  const mail = await receive(receiving, support, raw)
  assert.equal(mail.ticket_id, items[0].id)
  const messages = (await get(`/tickets/${items[0].id}/messages`)).items
  assert.deepEqual(
    messages.map((one: { sender_type: string }) => one.sender_type),
    ['contact', 'bot', 'contact'],
  )
})
