import { UserGroupIcon } from '@heroicons/react/24/outline'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'

export default function ContactsPage() {
  usePageTitle(text.shell.contacts)
  return <Empty order={1} icon={UserGroupIcon} title={text.shell.contacts} about={text.shell.empty} />
}
