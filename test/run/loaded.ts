import { registerHooks } from 'node:module'

/** For `node --import`: on SIGUSR2, the process prints the names of the packages it has loaded. */

const loaded = new Set<string>()

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
    if (name) loaded.add(name)
    return nextLoad(url, context)
  },
})

process.on('SIGUSR2', () => process.stdout.write(`loaded ${[...loaded].sort().join(' ')}\n`))
