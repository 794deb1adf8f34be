import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that is loaded at its first use, because most installations need few of these packages while they are idle. */
export function lazyRequire<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= require(name) as Package
    return loaded
  }
}
