import { unique } from './cast.ts'
import type { Shop } from './shop.ts'
import { sign } from './widget.ts'

/** Creates people whom the page may identify. Each call returns a new person with the site's signature. */
export async function openIdentities(shop: Shop) {
  const { secret } = (await shop.olga.api.post('/widget/secret')).body
  return () => {
    const id = unique()
    const user = { id, email: `${id}@example.com`, name: 'Vera Voss', plan: 'gold' }
    return { user, signature: sign(user, secret) }
  }
}
export type Someone = Awaited<ReturnType<typeof openIdentities>>
