import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** The listening socket. */
export const httpSettings = {
  port: setting('PORT', '3000', parse.integer(0, 65_535), {
    about: 'The port of the HTTP server. `0` means any free port; the printed address shows which one.',
    example: '8080',
  }),
  host: setting('HOST', '0.0.0.0', parse.readText, {
    about:
      'The address on which the HTTP server listens. The default accepts connections from other machines; `127.0.0.1` does not.',
    example: '127.0.0.1',
  }),
  trustProxy: setting('TRUST_PROXY', '', parse.networks, {
    about:
      'The networks of your reverse proxies. Deskbell trusts `X-Forwarded-For` from these networks and ignores it from all others.',
    example: '127.0.0.1/32,10.0.0.0/8',
  }),
  stopDelay: setting('STOP_DELAY', '', parse.optional(parse.durationUpTo('60s')), {
    about:
      'How long a process still answers requests after it has been told to stop, at most 60 seconds. During this time `/readyz` answers 503, and each connection is closed after its next response. Proxies need this time if they must notice the stop before connections are refused, or if they keep idle connections. If it is not set, the process refuses new connections at once and finishes the requests in progress.',
    example: '5s',
  }),
}
