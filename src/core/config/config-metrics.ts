import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** Who may read the metrics of the process. */
export const metricsSettings = {
  metricsAllowedCidrs: setting('METRICS_ALLOWED_CIDRS', '127.0.0.0/8,::1/128', parse.networks, {
    about:
      'Networks that may read `GET /metrics`, by the address of the connection. Requests that come through a proxy need METRICS_TOKEN. Everybody else gets 404.',
    example: '10.20.0.0/16',
  }),
  metricsToken: setting('METRICS_TOKEN', '', parse.optional(parse.readText), {
    about:
      'A client that sends this token as `Authorization: Bearer …` may read `GET /metrics` from anywhere, including through a proxy.',
    example: 'the output of: openssl rand -hex 32',
  }),
}
