import type { TestEvent } from 'node:test/reporters'

/** A reporter that lists the skipped tests and the reasons at the end. */
export default async function* listLeftOut(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names = new Map<string, string[]>()
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || !data.skip) continue
    const reason = String(data.skip)
    names.set(reason, [...(names.get(reason) ?? []), data.name])
  }
  for (const [reason, left] of names) {
    yield `Skipped because ${reason}:\n${left.map(name => `- ${name}\n`).join('')}`
  }
}
