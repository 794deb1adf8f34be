import { makeKey } from '../core/query-key.ts'

interface Place {
  project_id: string
  webhook_id: string
}

export const webhookKeys = {
  all: (projectId: string) => makeKey('webhooks', projectId),
  webhook: ({ project_id, webhook_id }: Place) => makeKey('webhooks', project_id, webhook_id),
  deliveries: ({ project_id, webhook_id }: Place) => makeKey('deliveries', project_id, webhook_id),
  deliveryList: ({ project_id, webhook_id }: Place, status: string | null) =>
    makeKey('deliveries', project_id, webhook_id, status),
  delivery: (deliveryId: string) => makeKey('delivery', deliveryId),
  catalog: () => makeKey('event catalog'),
}
