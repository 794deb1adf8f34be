import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** Who may see how the process does. */
export const metricsSettings = {
  metricsAllowedCidrs: setting('METRICS_ALLOWED_CIDRS', '127.0.0.0/8,::1/128', parse.networks, {
    about:
      'Networks that may read `GET /metrics`, by the address of the connection; a request that a proxy passed on needs METRICS_TOKEN. Everybody else is answered 404.',
    example: '10.20.0.0/16',
  }),
  metricsToken: setting('METRICS_TOKEN', '', parse.optional(parse.readText), {
    about:
      'Who sends it as `Authorization: Bearer …` may read `GET /metrics` from anywhere, also through a proxy.',
    example: 'the output of: openssl rand -hex 32',
  }),
}
