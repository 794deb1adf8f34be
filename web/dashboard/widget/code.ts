/** Code samples for people's pages and servers. */

interface Widget {
  script_url: string
}

export const pageCode = (projectId: string, { script_url }: Widget): string => `<script>
  window.Deskbell = (...call) => Deskbell.q.push(call)
  Deskbell.q = []
  Deskbell('boot', {
    project: '${projectId}',
  })
</script>
<script async src="${script_url}"></script>`

/** The URL of the npm package on this installation. It is in no registry. */
export const packageAddress = ({ script_url }: Widget): string =>
  new URL('/widget/package.tgz', script_url).href

export const reactCode = (
  projectId: string,
  { script_url }: Widget,
): string => `import { boot, destroy } from '@deskbell/widget'
import { useEffect } from 'react'

/** token comes from your server; without it nobody knows who the visitor is. */
export function Chat({ token }) {
  useEffect(() => {
    boot({ host: '${new URL(script_url).origin}', project: '${projectId}', token })
    return destroy
  }, [token])
  return null
}`
