/** The files that bin/mutate changes, and the tests that should detect it. */
export const modules: Record<string, { mutate: string[]; tests: string[] }> = {
  address: {
    mutate: ['src/core/http/address.ts'],
    tests: ['src/webhooks/address.test.ts'],
  },
  limiter: {
    mutate: ['limiter', 'memory', 'postgres', 'redis', 'address', 'rate-limit', 'fail-open'].map(
      name => `src/limits/${name}.ts`,
    ),
    tests: ['stores', 'limits', 'fail-open'].map(name => `src/limits/${name}.test.ts`),
  },
  overload: {
    mutate: ['src/limits/concurrency.ts'],
    tests: ['src/limits/concurrency.test.ts', 'src/limits/request-timeout.test.ts'],
  },
  cursor: {
    mutate: ['src/core/paging/cursor.ts', 'src/core/paging/paging.ts', 'src/updates/updates.ts'],
    tests: [
      'src/core/paging/paging.test.ts',
      'src/updates/read.test.ts',
      'src/updates/wait.test.ts',
      'src/updates/follow.test.ts',
      'src/updates/bounds.test.ts',
      'src/tickets/list.test.ts',
    ],
  },
  delivery: {
    mutate: [
      'queue',
      'record',
      'deliver',
      'dispatch',
      'find-backlog',
      'result-writer',
      'attempt',
      'target-concurrency',
      'sign',
    ].map(name => `src/webhooks/${name}.ts`),
    tests: [
      'target-concurrency',
      'result-writer',
      'claim',
      'find-backlog',
      'counter',
      'locks',
      'deliver',
      'dispatch',
      'outage',
    ].map(name => `src/webhooks/${name}.test.ts`),
  },
}
