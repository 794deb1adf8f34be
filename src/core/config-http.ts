import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** The listening socket. */
export const httpSettings = {
  port: setting('PORT', '3000', parse.integer(0, 65_535), {
    about: 'Port of the HTTP server. `0` takes any free one; the printed address shows which.',
    example: '8080',
  }),
  host: setting('HOST', '0.0.0.0', parse.readText, {
    about:
      'Address the HTTP server listens on. The default is reachable from other machines; `127.0.0.1` is not.',
    example: '127.0.0.1',
  }),
  stopDelay: setting('STOP_DELAY', '', parse.optional(parse.durationUpTo('60s')), {
    about:
      'How long a process that is told to stop answers as before, but for `/readyz`, and each connection for the last time: for proxies that must learn of it before connections are refused, or that keep idle connections. 60 seconds at most. When not set, connections are refused at once, and what is under way is answered.',
    example: '5s',
  }),
}
