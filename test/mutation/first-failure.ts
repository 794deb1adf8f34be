import type { TestEvent } from 'node:test/reporters'

/** A reporter that stops at the first failing test, because one is enough to detect a mutation. */
export default async function* stopAtFirst(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    yield `${data.name}\n`
    process.exit(1)
  }
}
