import type { FastifyRequest } from 'fastify'
import type { Db } from '../core/db/db.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { BriefError } from '../core/errors.ts'
import type { SignedInSession } from '../users/users.ts'
import { deleteDevice, findPushTarget, insertDevice, listDevices } from './device-queries.ts'
import type { PushDeps } from './post-push.ts'
import { type DeviceList, deviceList, newDevice, testResult } from './schema.ts'
import { openPushing, type PushSetup, sendTestPush } from './send-pushes.ts'

const tag = 'Account'
const path = '/me/devices'
const devicePath = `${path}/{device_id}`

export interface NotificationDeps extends PushSetup {
  accountOf(request: FastifyRequest): SignedInSession
}

interface Devices {
  accountOf(request: FastifyRequest): SignedInSession
  /** Opened at the first use, because the docs are generated without settings. */
  push(): PushDeps
}

async function showDevices(db: Db, { push }: Devices, { id, user }: SignedInSession): Promise<DeviceList> {
  const devices = await listDevices(db, user.id)
  const items = devices.map(({ session_id, ...rest }) => ({ ...rest, is_current: session_id === id }))
  return { public_key: push().serverKey.publicKey, items }
}

const registration = (own: Devices): Endpoint[] => [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'List the browsers that show notifications',
    description: 'Browsers in which you are signed in and have turned notifications on.',
    responses: { 200: deviceList },
    errors: [],
    run: ({ db, request }) => showDevices(db, own, own.accountOf(request)),
  }),
  endpoint({
    method: 'PUT',
    path,
    tag,
    summary: 'Show notifications in this browser',
    description: 'Repeat it when the registration of the browser changes. It ends when you sign out.',
    body: newDevice,
    responses: { 200: deviceList },
    errors: [],
    async run({ db, request, body }) {
      const account = own.accountOf(request)
      await db.begin(tx => insertDevice(tx, { userId: account.user.id, sessionId: account.id }, body))
      return showDevices(db, own, account)
    },
  }),
]

const changes = ({ accountOf, push }: Devices): Endpoint[] => [
  endpoint({
    method: 'DELETE',
    path: devicePath,
    tag,
    summary: 'Stop notifications in one of your browsers',
    responses: { 204: null },
    errors: [],
    async run({ db, request, params }) {
      await deleteDevice(db, accountOf(request).user.id, params.device_id!)
      return null
    },
  }),
  endpoint({
    method: 'POST',
    path: `${devicePath}/test`,
    tag,
    summary: 'Send a test notification to one of your browsers',
    isWaiting: true,
    responses: { 200: testResult },
    errors: ['not_found'],
    async run({ db, request, params }) {
      const target = await findPushTarget(db, accountOf(request).user.id, params.device_id!)
      if (!target) throw new BriefError('not_found')
      const { result, status } = await sendTestPush(db, push(), target)
      return { is_sent: result === 'sent', status_code: status }
    },
  }),
]

/** The browsers that show notifications to a person while Deskbell is closed. */
export const notificationEndpoints = (deps: NotificationDeps): Endpoint[] => {
  let opened: PushDeps | null = null
  const own: Devices = {
    accountOf: request => deps.accountOf(request),
    push: () => (opened ??= openPushing(deps)),
  }
  return [...registration(own), ...changes(own)]
}
