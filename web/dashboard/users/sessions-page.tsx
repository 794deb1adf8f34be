import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tell } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { When } from '../core/when.tsx'
import { auth, takeAuth } from './auth.ts'
import { browserOf } from './browser.ts'
import { sessionsQuery } from './queries.ts'

export default function SessionsPage() {
  const { data = [] } = useQuery(sessionsQuery)
  const refresh = [sessionsQuery.queryKey]
  const end = useChange({
    send: (token: string) => takeAuth(() => auth.revokeSession({ token })),
    refresh,
    onDone: () => tell(text.account.ended),
  })
  const endOthers = useChange({
    send: () => takeAuth(() => auth.revokeOtherSessions()),
    refresh,
    onDone: () => tell(text.account.endedOthers),
  })
  const action = data.length > 1 && (
    <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
      {text.account.endOthers}
    </Button>
  )
  return (
    <Page title={text.account.sessions} about={text.account.sessionsAbout} actions={action}>
      {data.map(({ token, userAgent, ipAddress, updatedAt, isHere }) => {
        const name = browserOf(userAgent)
        return (
          <Section
            key={token}
            title={name}
            about={
              <>
                {ipAddress} · {text.account.lastUsed} <When time={new Date(updatedAt).toISOString()} />
              </>
            }
            actions={
              isHere ? (
                <Badge variant="light">{text.account.here}</Badge>
              ) : (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={text.account.endOne(name)}
                  loading={end.isPending && end.variables === token}
                  onClick={() => end.mutate(token)}
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
