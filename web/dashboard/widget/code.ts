import type { Widget } from './queries.ts'

/** What people take over into their pages and servers. */

export const pageCode = (projectId: string, { script_url }: Widget): string => `<script>
  window.Deskbell = (...call) => Deskbell.q.push(call)
  Deskbell.q = []
  Deskbell('boot', {
    project: '${projectId}',
    user: { id: 'YOUR-USER-ID', email: 'YOUR-USER-EMAIL', name: 'YOUR-USER-NAME' },
    signature: 'SIGNATURE-FROM-YOUR-SERVER',
  })
</script>
<script async src="${script_url}"></script>`

export const reactCode = (
  projectId: string,
  { script_url }: Widget,
): string => `import { boot, destroy } from '@deskbell/widget'
import { useEffect } from 'react'

/** user and signature come from your server; without both the visitor is nobody in particular. */
export function Chat({ user, signature }) {
  useEffect(() => {
    boot({ host: '${new URL(script_url).origin}', project: '${projectId}', user, signature })
    return destroy
  }, [user, signature])
  return null
}`

export const serverCode: Record<string, string> = {
  Node: `import { createHmac } from 'node:crypto'

const signature = createHmac('sha256', process.env.DESKBELL_SECRET)
  .update(String(user.id))
  .digest('hex')`,
  Python: `import hashlib
import hmac
import os

signature = hmac.new(
    os.environ["DESKBELL_SECRET"].encode(), str(user.id).encode(), hashlib.sha256
).hexdigest()`,
  PHP: `<?php
$signature = hash_hmac('sha256', (string) $user->id, getenv('DESKBELL_SECRET'));`,
  Ruby: `require 'openssl'

signature = OpenSSL::HMAC.hexdigest('SHA256', ENV.fetch('DESKBELL_SECRET'), user.id.to_s)`,
}
