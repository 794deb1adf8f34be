import { ApiError } from '../core/errors.ts'
import { bucketOf } from './address.ts'
import type { Limiter } from './limiter.ts'

/** Counts a request; one beyond the budget is refused, and told when to come back. */
export async function spendBudget(limiter: Limiter, bucket: string, budget: number): Promise<void> {
  const { isOver, retryAfter } = await limiter.count(bucket, budget)
  if (!isOver) return
  const detail = { retry_after: retryAfter }
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfter) })
}

/** Of a budget that each address has for one purpose alone. */
export const spendAddressBudget = (limiter: Limiter, purpose: string, ip: string, budget: number) =>
  spendBudget(limiter, `ip:${purpose}:${bucketOf(ip)}`, budget)
