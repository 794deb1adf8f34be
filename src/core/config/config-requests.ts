import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** The log of API requests, which the dashboard shows. */
export const requestSettings = {
  requestLog: parse.toggle(
    'REQUEST_LOG',
    'on',
    'Whether API calls are logged for the dashboard: time, method, path, status, duration, key and `X-Request-ID`, without bodies. A process logs up to 500 calls a second, refused ones first, and only counts the others.',
  ),
  requestLogRetention: setting('REQUEST_LOG_RETENTION', '7d', parse.durationFrom('1h', '90d'), {
    about: 'How long API calls are kept in that log, from 1h to 90d.',
    example: '30d',
  }),
}
