import { InboxIcon } from '@heroicons/react/24/outline'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'

export default function InboxPage() {
  usePageTitle(text.shell.inbox)
  return <Empty order={1} icon={InboxIcon} title={text.shell.emptyInbox} about={text.shell.emptyInboxAbout} />
}
