import { after } from 'node:test'

/**
 * A context for resources that all tests of a file share. After the last test, it runs the clean-up steps in
 * reverse order.
 */
export function openFileContext() {
  const steps: (() => unknown)[] = []
  after(async () => {
    for (const step of steps.toReversed()) await step()
  })
  return { after: (step: () => unknown) => void steps.push(step) }
}
