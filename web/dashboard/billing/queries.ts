import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { unlessShown } from '../core/query.ts'
import { billingKeys } from './query-keys.ts'

export type Billing = AnswerOf<'/projects/{project_id}/billing', 'get'>
export type Step = NonNullable<Billing['renewal']>
export type Ledger = AnswerOf<'/projects/{project_id}/billing/ledger', 'get'>

/** Whether the installation offers any paid plan. */
export const offerQuery = (project_id: string) =>
  queryOptions({
    queryKey: billingKeys.offer(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/billing/offer', { params: { path: { project_id } } })),
  })

/** Null if the installation offers no paid plans. */
export const billingQuery = (project_id: string) =>
  queryOptions({
    queryKey: billingKeys.all(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/billing', { params: { path: { project_id } } })).catch(
        (thrown: unknown): null => {
          if (asFailure(thrown).code === 'FEATURE_OFF') return null
          throw thrown
        },
      ),
    throwOnError: unlessShown,
  })

export const ledgerQuery = (project_id: string) =>
  queryOptions({
    queryKey: billingKeys.ledger(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/billing/ledger', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

export const money = (amount: number, currency: string | null): string =>
  new Intl.NumberFormat(document.documentElement.lang || undefined, {
    ...(currency && { style: 'currency' as const, currency }),
    minimumFractionDigits: currency ? undefined : 2,
  }).format(amount)
