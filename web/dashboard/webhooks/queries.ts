import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { byCursor } from '../core/more.tsx'
import { unlessShown } from '../core/query.ts'
import { webhookKeys } from './query-keys.ts'

type One = '/projects/{project_id}/webhooks/{webhook_id}'
export type Webhook = AnswerOf<'/projects/{project_id}/webhooks', 'get'>['items'][number]
export type WebhookWithSecret = AnswerOf<'/projects/{project_id}/webhooks', 'post'>
export type WebhookDelivery = AnswerOf<`${One}/deliveries`, 'get'>['items'][number]
export type ShownDelivery = AnswerOf<`${One}/deliveries/{delivery_id}`, 'get'>
export type DeliveryStatus = WebhookDelivery['status']

export const webhooksQuery = (project_id: string) =>
  queryOptions({
    queryKey: webhookKeys.all(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/webhooks', { params: { path: { project_id } } }))).items,
    throwOnError: unlessShown,
  })

interface Place {
  project_id: string
  webhook_id: string
}

export const webhookQuery = (path: Place) =>
  queryOptions({
    queryKey: webhookKeys.webhook(path),
    queryFn: () => take(api.GET('/projects/{project_id}/webhooks/{webhook_id}', { params: { path } })),
    throwOnError: unlessShown,
  })

/** Polled while a delivery is in progress. */
export const deliveriesQuery = (path: Place, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveryList(path, status),
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET('/projects/{project_id}/webhooks/{webhook_id}/deliveries', {
          params: { path, query: { cursor, count: false, ...(status && { status: [status] }) } },
        }),
      ),
    ...byCursor,
    refetchInterval: 3_000,
    throwOnError: unlessShown,
  })

export const deliveryQuery = (path: Place & { delivery_id: string }) =>
  queryOptions({
    queryKey: webhookKeys.delivery(path.delivery_id),
    queryFn: () =>
      take(
        api.GET('/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params: { path },
        }),
      ),
    throwOnError: unlessShown,
  })

export const catalogQuery = (project_id: string) =>
  queryOptions({
    queryKey: webhookKeys.catalog(),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/events/catalog', { params: { path: { project_id } } })))
        .items,
    staleTime: Number.POSITIVE_INFINITY,
    throwOnError: unlessShown,
  })
