import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import { addressRuleOf } from '../../core/http/address.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { createStorages, signLinksWith } from '../../media/media.ts'
import { startFetching } from './imap/fetcher.ts'
import { startHandling } from './incoming/handle.ts'
import { deleteAbandonedFolders } from './incoming/mail-folders.ts'
import { createMailTaker } from './incoming/take-mail.ts'
import { startListening } from './listener/listener.ts'
import { startSendingEmail } from './outgoing/email-channel.ts'
import { takeReport } from './reports/take-report.ts'

/** Starts the email work of a process with the role `channels`. */

export interface EmailDeps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

export async function startEmail(deps: EmailDeps): Promise<{ stop(): Promise<void> }> {
  const { config, log } = deps
  await deleteAbandonedFolders().catch(error =>
    log.warn({ err: error }, 'Could not delete temporary folders of emails'),
  )
  signLinksWith(deps.vault)
  const storages = createStorages(deps)
  const mayReach = addressRuleOf(config).isAllowed
  const listening = await startListening({ ...deps, storages })
  const fetching = startFetching({ ...deps, storages, mayReach })
  const taker = createMailTaker({ ...deps, storages, onReport: takeReport })
  const handling = startHandling({ ...deps, onMail: taker.take })
  const sending = startSendingEmail({ ...deps, storages, mayReach })
  return {
    async stop() {
      await Promise.all([listening.stop(), fetching.stop(), sending.stop()])
      await handling.stop()
      await taker.close()
    },
  }
}
