import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** The log of API requests, which the dashboard shows. */
export const requestSettings = {
  requestLog: parse.toggle(
    'REQUEST_LOG',
    'on',
    'Whether calls of the API are written down for the dashboard: time, method, path, status, duration, key and `X-Request-ID`, no bodies. A process writes up to 500 a second, refused ones first, and counts the others.',
  ),
  requestLogRetention: setting('REQUEST_LOG_RETENTION', '7d', parse.durationFrom('1h', '90d'), {
    about: 'How long calls of the API are kept in that log, from 1h to 90d.',
    example: '30d',
  }),
}
