import { parseArgs } from 'node:util'
import { dead } from './dead.ts'
import { delay } from './delay.ts'
import { kills } from './kills.ts'
import { openStage, type Stage } from './stage.ts'

const options = {
  only: { type: 'string', default: 'delay,dead' },
  mailboxes: { type: 'string', default: '20' },
  rate: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '60' },
  answers: { type: 'string', default: '20000' },
} as const

type Sizes = Record<'mailboxes' | 'rate' | 'seconds' | 'answers', number>

const cases: Record<string, (stage: Stage, sizes: Sizes) => Promise<boolean>> = {
  delay,
  dead,
  kills: (stage, { answers }) => kills(stage, answers),
}

/** The longest time that the SMTP server waits before it responds to the final dot, so that some kills happen in between. */
const holdMs = 60

/** Measures outgoing email with an SMTP server that accepts everything. */
export async function send(args: string[]): Promise<number> {
  const { only, ...words } = parseArgs({ args, options }).values
  const sizes = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, Number(word)])) as Sizes
  let isKept = true
  for (const name of only.split(',')) {
    const show = cases[name]
    if (!show) throw new Error(`--only: ${name} is none of ${Object.keys(cases)}`)
    const { mailboxes } = sizes
    const stage = await openStage({ mailboxes, tickets: 500, holdMs: name === 'kills' ? holdMs : 0 })
    try {
      isKept = (await show(stage, sizes)) && isKept
    } finally {
      await stage.close()
    }
  }
  return isKept ? 0 : 1
}
