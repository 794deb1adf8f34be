import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import type { Log } from '../core/log.ts'
import type { Mailer } from '../core/mail.ts'
import type { Users } from '../users/users.ts'

/** What the operations of people need beside the request. */
export interface OperatorDeps {
  config: Config
  db: Db
  log: Log
  mailer: Mailer | null
  users: Users
  /** What goes on after its answer. */
  underWay: Set<Promise<unknown>>
}
