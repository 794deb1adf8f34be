import { Button, Modal, Stack, Text } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { renewSession, type SessionLapse } from '../core/session.ts'
import { text } from '../core/text.ts'
import { auth, leave } from './auth.ts'
import { meQuery } from './me.ts'
import { SignIn } from './sign-in.tsx'

/** A dialog over the page: what was typed there stays, and waiting calls continue. */
export default function SignInAgain({ lapse }: { lapse: SessionLapse }) {
  const before = queryClient.getQueryData(meQuery.queryKey)
  const goOn = async () => {
    const { data } = await auth.getSession()
    // The page shows another person's data.
    if (data?.user.id !== before?.user.id) return location.reload()
    renewSession()
    await queryClient.invalidateQueries()
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={lapse.isStale ? pageText.users.again : text.shell.lapsed}
    >
      <Stack gap="md">
        <Text c="dimmed">{lapse.isStale ? pageText.users.againAbout : text.shell.lapsedAbout}</Text>
        <SignIn email={before?.user.email} onDone={goOn} next={location.pathname} />
        <Button variant="subtle" color="gray" onClick={() => void leave()}>
          {pageText.users.other}
        </Button>
      </Stack>
    </Modal>
  )
}
