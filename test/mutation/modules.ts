/** What bin/mutate changes, and the tests that ought to notice. */
export const modules: Record<string, { mutate: string[]; tests: string[] }> = {
  address: {
    mutate: ['src/core/address.ts'],
    tests: ['src/webhooks/address.test.ts'],
  },
  limiter: {
    mutate: ['limiter', 'memory', 'postgres', 'redis', 'address', 'spend', 'fail-open'].map(
      name => `src/limits/${name}.ts`,
    ),
    tests: ['stores', 'limits', 'fail-open'].map(name => `src/limits/${name}.test.ts`),
  },
  overload: {
    mutate: ['src/limits/concurrency.ts'],
    tests: ['src/limits/concurrency.test.ts', 'src/limits/request-timeout.test.ts'],
  },
  cursor: {
    mutate: ['src/core/cursor.ts', 'src/core/paging.ts', 'src/updates/updates.ts'],
    tests: [
      'src/core/paging.test.ts',
      'src/updates/read.test.ts',
      'src/updates/wait.test.ts',
      'src/updates/follow.test.ts',
      'src/updates/bounds.test.ts',
      'src/tickets/list.test.ts',
    ],
  },
  delivery: {
    mutate: ['claim', 'look', 'finish', 'attempt', 'slots', 'sign'].map(name => `src/webhooks/${name}.ts`),
    tests: ['slots', 'finish', 'claim', 'look', 'counter', 'locks', 'deliver', 'outage'].map(
      name => `src/webhooks/${name}.test.ts`,
    ),
  },
  clock: {
    mutate: ['clock', 'leap'].map(name => `src/webhooks/${name}.ts`),
    tests: ['clock', 'leap'].map(name => `src/webhooks/${name}.test.ts`),
  },
}
