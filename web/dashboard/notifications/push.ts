import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { meQuery } from '../users/me.ts'
import { rememberPushing } from './pushing.ts'

/** Registers this browser for notifications that arrive while Deskbell is closed. */

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

export const listDevices = () => take(api.GET('/me/devices'))

/** A registration with an earlier key of the server is replaced. */
async function subscribe(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const earlier = await manager.getSubscription()
    if (!earlier) throw error
    await earlier.unsubscribe()
    return manager.subscribe(options)
  }
}

/** Requires the permission to show notifications. */
export async function turnOn() {
  const { public_key } = await listDevices()
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const { endpoint, keys = {} } = (await subscribe(pushManager, public_key)).toJSON()
  const body = { endpoint: endpoint!, p256dh: keys.p256dh!, auth: keys.auth! }
  await take(api.PUT('/me/devices', { body }))
  rememberPushing(queryClient.getQueryData(meQuery.queryKey)?.user.id ?? null)
}

export async function turnOff(device_id: string): Promise<void> {
  await take(api.DELETE('/me/devices/{device_id}', { params: { path: { device_id } } }))
  rememberPushing(null)
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/**
 * Renews the registration, which may have ended or belong to an earlier session. A failure is ignored, because
 * the next start tries again.
 */
export function renew(): void {
  if (canPush() && Notification.permission === 'granted') turnOn().catch(() => {})
}
