import { makeKey } from '../core/query-key.ts'

export const notificationKeys = {
  unread: (projectId: string | undefined) => makeKey('unread', projectId),
  devices: () => makeKey('devices'),
}
