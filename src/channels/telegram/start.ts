import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { createStorages } from '../../media/media.ts'
import { createBotApis } from './bot-api/bot-apis.ts'
import { startHandlingUpdates } from './incoming/handle.ts'
import type { SendingDeps } from './outgoing/open-send.ts'
import { startSendingTelegram } from './outgoing/telegram-channel.ts'
import { startReceiving } from './receiving/receiver.ts'

/** Starts the Telegram work of a process with the role `channels`. */

export interface TelegramDeps extends Pick<SendingDeps, 'sendByEmail'> {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

export function startTelegram(deps: TelegramDeps): { stop(): Promise<void> } {
  const apis = createBotApis(deps)
  const storages = createStorages(deps)
  const receiving = startReceiving({ ...deps, apis })
  const handling = startHandlingUpdates({ ...deps, apis, storages })
  const { publicUrl } = deps.config
  const sending = startSendingTelegram({ ...deps, apis, storages, publicUrl })
  return {
    async stop() {
      await Promise.all([receiving.stop(), sending.stop()])
      await handling.stop()
      apis.close()
    },
  }
}
