import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startDovecot } from '../../../../test/dovecot.ts'
import { deskUsers, makeMailDesk } from '../../../../test/mail/desk.ts'
import { judge } from '../../../../test/mail/judge.ts'
import { cases, corpus, setup } from '../../../../test/mail/manifest.ts'
import { needs } from '../../../../test/needs.ts'

const read = (file: string): Buffer => readFileSync(new URL(file, corpus))

/** Identical emails: either may be handled first, and the other one is the duplicate. */
const twins = ['083-twice-first.eml', '084-twice-second.eml']

test(
  'every email of the corpus has the same result if it is fetched by IMAP together with all others',
  needs('dovecot'),
  async t => {
    const dovecot = await startDovecot(t, { users: deskUsers })
    const desk = await makeMailDesk(dovecot)
    t.after(() => desk.close())
    for (const { file } of setup) await desk.setUp(file, read(file))
    await desk.answerAll()
    const seen = await desk.deliverAll(
      cases.map(({ file, expect }) => ({ raw: read(file), to: expect.mailbox })),
    )
    const [first, second] = twins.map(name => cases.findIndex(({ file }) => file === name)) as [
      number,
      number,
    ]
    if (seen[first]!.target === 'duplicate') seen.splice(first, 2, seen[second]!, seen[first]!)
    const wrong = cases.flatMap(({ file, expect }, at) => {
      // Whether one email reopens a ticket, and what one report has changed, cannot be seen after all of them.
      const { reopens: _, ...wanted } = expect
      const { bounce: __, ...found } = seen[at]!
      return judge(wanted, found).map(what => `${file}: ${what}`)
    })
    assert.deepEqual(wrong, [])
  },
)
