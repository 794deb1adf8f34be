import { ArrowPathIcon, ExclamationTriangleIcon, MapIcon } from '@heroicons/react/20/solid'
import { Button, Center, Group, Loader } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Empty } from './empty.tsx'
import { asFailure, Failure } from './failure.ts'
import { RequestId } from './failure-words.tsx'
import { usePageTitle } from './page.tsx'
import { text } from './text.ts'

/** Placeholders for a page that is loading, has failed or does not exist. */

export function Loading() {
  return (
    <Center h="100%" mih={200}>
      <Loader role="status" aria-label={text.shell.loading} />
    </Center>
  )
}

/** The page's file no longer exists, because the server was updated. */
const isOutdated = (error: Error): boolean =>
  /dynamically imported module|importing a module script|preload CSS/i.test(error.message)

const toHome = () => (
  <Button variant="default" renderRoot={props => <Link to="/" {...props} />}>
    {text.failure.home}
  </Button>
)

export function Broken({ error: thrown, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const error = thrown as Error
  const title = isOutdated(error) ? text.failure.updatedTitle : text.failure.title
  usePageTitle(title)
  const failure = asFailure(error)
  const again = () => (isOutdated(error) ? location.reload() : reset())
  const about = isOutdated(error)
    ? text.failure.updated
    : error instanceof Failure
      ? error.message
      : text.failure.about
  return (
    <main>
      <Empty
        order={1}
        icon={isOutdated(error) ? ArrowPathIcon : ExclamationTriangleIcon}
        title={title}
        about={about}
      >
        {failure.requestId && <RequestId id={failure.requestId} />}
        <Group mt="sm">
          <Button onClick={again}>{text.failure.reload}</Button>
          {toHome()}
        </Group>
      </Empty>
    </main>
  )
}

export function Missing() {
  usePageTitle(text.failure.missingTitle)
  return (
    <main>
      <Empty order={1} icon={MapIcon} title={text.failure.missingTitle} about={text.failure.missing}>
        <Group mt="sm">{toHome()}</Group>
      </Empty>
    </main>
  )
}
