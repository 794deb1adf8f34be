import type { FastifyRequest } from 'fastify'
import type { Db } from '../core/db/db.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { BriefError } from '../core/errors.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendBudget } from '../limits/rate-limit.ts'
import type { SignedInSession } from '../users/users.ts'
import { deleteDevice, findPushTarget, insertDevice, listDevices } from './device-queries.ts'
import type { PushDeps } from './post-push.ts'
import { type DeviceList, deviceList, newDevice, testResult } from './schema.ts'
import { openPushing, type PushSetup, sendTestPush } from './send-pushes.ts'

const tag = 'Account'
const path = '/me/devices'
const devicePath = `${path}/{device_id}`

/** Per person, over all browsers. */
export const maxTestsPerMinute = 10

export interface NotificationDeps extends PushSetup {
  limiter: Limiter
  accountOf(request: FastifyRequest): SignedInSession
}

interface Devices extends Pick<NotificationDeps, 'accountOf'> {
  /** Counts a test notification, and refuses it beyond the limit. */
  spendTest(userId: string): Promise<void>
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

const changes = ({ accountOf, spendTest, push }: Devices): Endpoint[] => [
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
    description: `At most ${maxTestsPerMinute} times a minute.`,
    isWaiting: true,
    responses: { 200: testResult },
    errors: ['not_found', 'RATE_LIMIT_EXCEEDED'],
    async run({ db, request, params }) {
      const { user } = accountOf(request)
      const target = await findPushTarget(db, user.id, params.device_id!)
      if (!target) throw new BriefError('not_found')
      await spendTest(user.id)
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
    spendTest: userId => spendBudget(deps.limiter, `push-tests:${userId}`, maxTestsPerMinute),
    push: () => (opened ??= openPushing(deps)),
  }
  return [...registration(own), ...changes(own)]
}
