import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import type { Mailer } from '../core/mail/mail.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { Users } from '../users/users.ts'

/** What the operations of people need in addition to the request. */
export interface OperatorDeps {
  config: Config
  db: Db
  log: Log
  mailer: Mailer | null
  users: Users
  /** Work that continues after the response. */
  underWay: Set<Promise<unknown>>
}
