import { limits, refusals } from './refusals.ts'
import type { Bot, World } from './world.ts'

/** The rate limits for messages. A refusal says how many seconds to wait. */

interface Bucket {
  tokens: number
  at: number
}

/** "We may allow short bursts that go over this limit, but eventually you'll begin receiving 429 errors." */
function take(buckets: Map<string, Bucket>, key: string, capacity: number, perSecond: number): number {
  const now = Date.now()
  const bucket = buckets.get(key) ?? { tokens: capacity, at: now }
  bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
  bucket.at = now
  buckets.set(key, bucket)
  if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
  bucket.tokens -= 1
  return 0
}

const buckets = new WeakMap<World, Map<string, Bucket>>()

/** Refuses a message to this chat after too many others. */
export function requireCalm(world: World, bot: Bot, chatId: number): void {
  if (!world.floods) return
  const own = buckets.get(world) ?? new Map<string, Bucket>()
  buckets.set(world, own)
  const { chatBurst, groupPerMinute, botPerSecond } = world.floods
  const waits = [
    take(own, `${bot.token} ${chatId}`, chatBurst, limits.chatPerSecond.max),
    take(own, bot.token, botPerSecond, botPerSecond),
    ...(chatId < 0 ? [take(own, `${bot.token} ${chatId} minute`, groupPerMinute, groupPerMinute / 60)] : []),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) throw refusals.flood(wait)
}
