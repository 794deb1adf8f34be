import type { Sql } from '../../../core/db/db.ts'
import { now, toDatabase } from '../../../core/time.ts'
import { type AccountKey, type AccountTable, updateAccountOk } from '../../accounts/lease-queries.ts'
import { connectedColumns } from '../bots/queries.ts'

/** Bot leases. The process that holds a bot's lease receives its updates. */

export const botTable: AccountTable = {
  name: 'telegram_bots',
  kind: 'telegram_bots',
  columns: connectedColumns,
}

/** After a gap of more than 24 hours, Telegram may have deleted updates. */
export const updateBotOk = (sql: Sql, key: AccountKey, at = toDatabase(now())) =>
  updateAccountOk(
    sql,
    botTable,
    key,
    sql`, missed = case when last_ok_at < ${at}::timestamptz - interval '24 hours' then jsonb_build_object(
        'from', to_char(last_ok_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        'until', to_char((${at}::timestamptz - interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
      else missed end`,
  )
