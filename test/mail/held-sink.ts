import { type SinkScript, startSink } from './sink.ts'

/** An SMTP server that delays its response to the first MAIL FROM, so that a test can act while an email is being sent. */
export async function startHeldSink(context: { after(run: () => unknown): void }, script: SinkScript = {}) {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  context.after(() => released.resolve())
  const sink = await startSink(context, {
    ...script,
    options: {
      async onMailFrom(_address, _session, done) {
        if (count++ === 0) {
          asked.resolve()
          await released.promise
        }
        done()
      },
    },
  })
  return { sink, asked: asked.promise, release: () => released.resolve() }
}
