/** Runs the tasks of one name one after another in order, whether or not they succeed. */
export function createSequence() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(name: string, act: () => Promise<T>): Promise<T> {
    const done = (last.get(name) ?? Promise.resolve()).then(act, act)
    last.set(name, done)
    void done.catch(() => null).then(() => last.get(name) === done && last.delete(name))
    return done
  }
}
