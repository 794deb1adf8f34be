import { ApiError } from '../core/errors.ts'
import { bucketOf } from './address.ts'
import type { Limiter } from './limiter.ts'

/** Counts a request, and refuses it beyond the budget, with the seconds to wait. */
export async function spendBudget(limiter: Limiter, bucket: string, budget: number): Promise<void> {
  const { isOver, retryAfter } = await limiter.count(bucket, budget)
  if (!isOver) return
  const detail = { retry_after: retryAfter }
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfter) })
}

/** Counts a request towards the budget of an address for one purpose. */
export const spendAddressBudget = (limiter: Limiter, purpose: string, ip: string, budget: number) =>
  spendBudget(limiter, `ip:${purpose}:${bucketOf(ip)}`, budget)
