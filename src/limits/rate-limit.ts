import { ApiError } from '../core/errors.ts'
import { bucketOf } from './address.ts'
import type { Limiter } from './limiter.ts'

/** Counts a request. Beyond the budget it is refused, with the time of the next attempt. */
export async function spendBudget(limiter: Limiter, bucket: string, budget: number): Promise<void> {
  const { isOver, retryAfter } = await limiter.count(bucket, budget)
  if (!isOver) return
  const detail = { retry_after: retryAfter }
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfter) })
}

/** Counts against a budget that each address has for one purpose. */
export const spendAddressBudget = (limiter: Limiter, purpose: string, ip: string, budget: number) =>
  spendBudget(limiter, `ip:${purpose}:${bucketOf(ip)}`, budget)
