import { parseArgs } from 'node:util'
import { delay } from './delay.ts'
import { folder } from './folder.ts'
import { idle } from './idle.ts'
import { kills } from './kills.ts'
import { large } from './large.ts'
import { memory } from './memory.ts'
import { openStage, type Stage } from './stage.ts'
import { throughput } from './throughput.ts'

const options = {
  only: { type: 'string', default: 'throughput,delay,large,folder,idle' },
  mails: { type: 'string', default: '3000' },
  waits: { type: 'string', default: '200' },
  bytes: { type: 'string', default: '50000000' },
  existing: { type: 'string', default: '500000' },
  mailboxes: { type: 'string', default: '100' },
  rate: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '600' },
} as const

type Sizes = Record<'mails' | 'waits' | 'bytes' | 'existing' | 'mailboxes' | 'rate' | 'seconds', number>

const cases: Record<string, (stage: Stage, sizes: Sizes) => Promise<boolean>> = {
  throughput,
  delay,
  large,
  folder,
  idle,
  kills,
  memory,
}

/** Incoming email, with a real IMAP server. */
export async function mail(args: string[]): Promise<number> {
  const { only, ...words } = parseArgs({ args, options }).values
  const sizes = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, Number(word)])) as Sizes
  let isKept = true
  for (const name of only.split(',')) {
    const show = cases[name]
    if (!show) throw new Error(`--only: ${name} is none of ${Object.keys(cases)}`)
    // A server of its own: memory that an earlier case has left free would hide what this one needs.
    const stage = await openStage()
    try {
      isKept = (await show(stage, sizes)) && isKept
    } finally {
      await stage.close()
    }
  }
  return isKept ? 0 : 1
}
