import type { TestEvent } from 'node:test/reporters'

/** A reporter that ends the tests at the first that fails: one is enough to notice a change. */
export default async function* stopAtFirst(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    yield `${data.name}\n`
    process.exit(1)
  }
}
