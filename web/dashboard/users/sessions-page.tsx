import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
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
    onDone: () => showNotice(text.account.ended),
  })
  const endOthers = useChange({
    send: () => take(api.DELETE('/me/sessions')),
    refresh,
    onDone: () => showNotice(text.account.endedOthers),
  })
  const action = data.length > 1 && (
    <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
      {text.account.endOthers}
    </Button>
  )
  return (
    <Page title={text.account.sessions} about={text.account.sessionsAbout} actions={action}>
      {data.map(({ id, user_agent, ip_address, last_used_at, is_current }) => {
        const name = browserOf(user_agent)
        return (
          <Section
            key={id}
            title={name}
            about={
              <>
                {ip_address} · {text.account.lastUsed} <When time={last_used_at} />
              </>
            }
            actions={
              is_current ? (
                <Badge variant="light">{text.account.here}</Badge>
              ) : (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={text.account.endOne(name)}
                  loading={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  {text.account.end}
                </Button>
              )
            }
          />
        )
      })}
    </Page>
  )
}
