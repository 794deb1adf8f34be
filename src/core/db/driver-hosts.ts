import type { DriverPatch } from './driver.ts'

/** Tries several hosts in order, once each, beginning with the last that worked. Version 3.4.9 never reported that all had failed. */
export const hostPatches: DriverPatch[] = [
  [', retries = 0\n    , length', ', retries = 0\n    , tried = 0\n    , place = 0\n    , length'],
  ['initial = query\n      reconnect()', 'initial = query\n      tried = 0\n      reconnect()'],
  [
    'backendParameters = {}\n    socket ||',
    'backendParameters = {}\n    tried++ || (hostIndex = options.shared.host || 0)\n    socket ||',
  ],
  ['hostIndex = (hostIndex + 1)', 'place = hostIndex\n    hostIndex = (hostIndex + 1)'],
  [
    'options.shared.retries = retries = 0',
    'options.shared.retries = retries = 0\n      options.shared.host = place',
  ],
  ['&& options.host[retries + 1])', '&& initial && !terminated && tried < host.length)'],
  ["'off' && options.host[retries])", "'off' && tried < host.length)"],
  // An error before the server is ready, for instance while it starts up, is a reason to try the next host.
  ['} else {\n      errored(Errors.postgres(', '} else {\n      error(Errors.postgres('],
  [
    "errored(Errors.connection('CONNECT_TIMEOUT', options, socket))\n    socket.destroy()",
    "socket.destroy(Errors.connection('CONNECT_TIMEOUT', options, socket))",
  ],
  [
    'else if (tryNext(target_session_attrs, backendParameters))\n          return terminate()',
    "else if (tryNext(target_session_attrs, backendParameters))\n          return socket.destroy(Errors.generic('NOT_PRIMARY', 'the server at ' + host[place] + ':' + port[place] + ' is not ' + target_session_attrs))",
  ],
  // If the connection is lost in the meantime, the error of the connection is reported.
  ['query.execute()\n  }', 'query.catch(noop)\n  }'],
  // A server that refuses writes has become a standby: a new connection reaches the primary.
  [
    'errorResponse = Errors.postgres(parseError(x))',
    "errorResponse = Errors.postgres(parseError(x))\n      errorResponse.code === '25006' && end()",
  ],
]
