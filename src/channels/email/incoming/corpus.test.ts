import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type MailDesk, makeMailDesk } from '../../../../test/mail/desk.ts'
import { judge } from '../../../../test/mail/judge.ts'
import { cases, corpus, setup } from '../../../../test/mail/manifest.ts'

/** Delivers every email of the corpus to a running Deskbell by LMTP and compares the outcome with the manifest. */

let desk: MailDesk

before(async () => {
  desk = await makeMailDesk()
  for (const { file } of setup) await desk.setUp(file, readFileSync(new URL(file, corpus)))
  await desk.answerAll()
})
after(() => desk.close())

for (const { file, kind, expect } of cases) {
  test(`${file}: ${kind}`, async () => {
    await desk.reset()
    const seen = await desk.deliver(readFileSync(new URL(file, corpus)), expect.mailbox)
    assert.deepEqual(judge(expect, seen), [])
  })
}
