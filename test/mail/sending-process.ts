import { randomBytes } from 'node:crypto'
import { startSendingEmail } from '../../src/channels/email/outgoing/email-channel.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { createVault } from '../../src/core/crypto.ts'
import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { mayReachAll } from '../../src/core/http/guarded-agent.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { withHooks } from '../../src/events/log.ts'
import { createStorages } from '../../src/media/media.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'

/** A process that sends emails until it is killed. */

const { target, dataDir } = JSON.parse(process.argv[2]!) as { target: DatabaseTarget; dataDir: string }
const db = withHooks(connect(target, { max: 4 }), { fanOut: createDispatcher().fanOut })
const log = createLog('silent')
const vault = createVault(randomBytes(32))
const config = { ...readConfig({ PUBLIC_URL: 'http://localhost' }), dataDir }
const storages = createStorages({ config, db, vault })
const limits = { tickMs: 20, leaseMs: 1_500 }
startSendingEmail({ config, db, vault, log, storages, mayReach: mayReachAll }, { limits, uncertainMs: 50 })
