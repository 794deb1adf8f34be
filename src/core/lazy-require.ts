import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that is loaded where it is first used: most installations need few of them while they are idle. */
export function lazyRequire<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= require(name) as Package
    return loaded
  }
}
