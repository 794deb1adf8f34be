import { createBotApis } from '../../src/channels/telegram/bot-api/bot-apis.ts'
import { startHandlingUpdates } from '../../src/channels/telegram/incoming/handle.ts'
import { createTelegramOutlet } from '../../src/channels/telegram/outgoing/outlet.ts'
import { startSendingTelegram } from '../../src/channels/telegram/outgoing/telegram-channel.ts'
import { startReceiving } from '../../src/channels/telegram/receiving/receiver.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { createVault } from '../../src/core/crypto.ts'
import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { withHooks } from '../../src/events/log.ts'
import { createStorages, signLinksWith } from '../../src/media/media.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'

/** A process that receives, handles and sends the bots' messages until it is killed. */

interface Given {
  target: DatabaseTarget
  dataDir: string
  key: string
}

const given: Given = JSON.parse(process.argv[2] ?? '{}')
const db = withHooks(connect(given.target, { max: 8 }), {
  fanOut: createDispatcher().fanOut,
  outlets: [createTelegramOutlet()],
})
const log = createLog('silent')
const vault = createVault(Buffer.from(given.key, 'hex'))
const config = { ...readConfig({ PUBLIC_URL: 'http://localhost' }), dataDir: given.dataDir }
const storages = createStorages({ config, db, vault })
const apis = createBotApis({ config })

signLinksWith(vault)
startReceiving({ config, db, vault, log, apis, tickMs: 20 })
startHandlingUpdates({ db, vault, log, storages, apis })
startSendingTelegram(
  {
    db,
    vault,
    log,
    storages,
    apis,
    publicUrl: config.publicUrl,
    pauses: Array(50).fill(50),
    uncertainMs: 50,
  },
  { tickMs: 20, leaseMs: 1_500 },
)
