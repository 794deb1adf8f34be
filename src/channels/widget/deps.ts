import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { UploadDeps } from '../../media/media.ts'
import type { StreamHub } from './stream-hub.ts'
import type { MakeTelegramLink } from './telegram-link.ts'
import type { RequestTranscript } from './transcripts.ts'

/** What the visitors' operations need in addition to the request. */
export interface ChatDeps extends UploadDeps {
  config: Config
  db: Db
  vault: Vault
  limiter: Limiter
  streamHub: StreamHub
  sendTranscript: RequestTranscript
  makeTelegramLink: MakeTelegramLink
}
