import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { When } from '../core/when.tsx'
import { browserOf } from './browser.ts'
import { sessionsQuery } from './queries.ts'

export default function SessionsPage() {
  const { data = [] } = useQuery(sessionsQuery)
  const refresh = [sessionsQuery.queryKey]
  const end = useChange({
    send: (session_id: string) =>
      take(api.DELETE('/me/sessions/{session_id}', { params: { path: { session_id } } })),
    refresh,
    onDone: () => showNotice(pageText.account.ended),
  })
  const endOthers = useChange({
    send: () => take(api.DELETE('/me/sessions')),
    refresh,
    onDone: () => showNotice(pageText.account.endedOthers),
  })
  const action = data.length > 1 && (
    <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
      {pageText.account.endOthers}
    </Button>
  )
  return (
    <Page title={pageText.account.sessions} about={pageText.account.sessionsAbout} actions={action}>
      {data.map(({ id, user_agent, ip_address, last_used_at, is_current }) => {
        const name = browserOf(user_agent)
        return (
          <Section
            key={id}
            title={name}
            about={
              <>
                {ip_address} · {pageText.account.lastUsed} <When time={last_used_at} />
              </>
            }
            actions={
              is_current ? (
                <Badge variant="light">{pageText.account.here}</Badge>
              ) : (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={pageText.account.endOne(name)}
                  loading={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  {pageText.account.end}
                </Button>
              )
            }
          />
        )
      })}
    </Page>
  )
}
