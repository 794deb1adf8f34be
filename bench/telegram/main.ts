import { parseArgs } from 'node:util'
import { measureDelays } from './delay.ts'
import { compareAfterKills } from './kills.ts'
import { openStage, type Stage } from './stage.ts'

const options = {
  only: { type: 'string', default: 'delay,kills' },
  bots: { type: 'string', default: '4' },
  chats: { type: 'string', default: '200' },
  rate: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '60' },
  updates: { type: 'string', default: '10000' },
} as const

export interface Sizes {
  chats: number
  rate: number
  seconds: number
  updates: number
}

const cases: Record<string, (stage: Stage, sizes: Sizes) => Promise<boolean>> = {
  delay: measureDelays,
  kills: compareAfterKills,
}

/** Measures Telegram with the stand-in for its server. */
export async function telegram(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const sizes: Sizes = {
    ...{ chats: Number(values.chats), rate: Number(values.rate) },
    ...{ seconds: Number(values.seconds), updates: Number(values.updates) },
  }
  let isKept = true
  for (const name of values.only.split(',')) {
    const show = cases[name]
    if (!show) throw new Error(`--only: ${name} is none of ${Object.keys(cases)}`)
    const stage = await openStage(Number(values.bots), sizes.chats)
    try {
      isKept = (await show(stage, sizes)) && isKept
    } finally {
      await stage.close()
    }
  }
  return isKept ? 0 : 1
}
